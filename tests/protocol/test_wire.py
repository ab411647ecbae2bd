"""The schemas, their examples, the generated types and the codec say the same."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import cattrs
import jsonschema
import pytest

from gradpeek.errors import ProbeError, WireError
from gradpeek.language_server import server
from gradpeek.language_server.debugging import Debugging
from gradpeek.wire import codec, editor, types

PROTOCOL = Path(__file__).parents[2] / "backend" / "protocol"
SCHEMA = json.loads((PROTOCOL / "schema.json").read_text("utf-8"))
EDITOR = json.loads((PROTOCOL / "editor.json").read_text("utf-8"))
EXAMPLES = PROTOCOL / "examples"
VALID = sorted(EXAMPLES.glob("valid/*.json")) + sorted(EXAMPLES.glob("editor/valid/*.json"))
INVALID = sorted(EXAMPLES.glob("invalid/*.json")) + sorted(EXAMPLES.glob("editor/invalid/*.json"))
ENVELOPES = json.loads((PROTOCOL / "examples" / "envelopes.json").read_text("utf-8"))


def definition_of(example: Path) -> str:
    return example.name.split(".")[0]


def is_editors(example: Path) -> bool:
    return "editor" in example.parts


def schema_errors(example: Path, value: object) -> list[Any]:
    definitions = (EDITOR if is_editors(example) else SCHEMA)["$defs"]
    schema = {"$ref": f"#/$defs/{definition_of(example)}", "$defs": definitions}
    return list(jsonschema.Draft202012Validator(schema).iter_errors(value))


def wire_type(example: Path) -> type[Any]:
    found: type[Any] = getattr(editor if is_editors(example) else types, definition_of(example))
    return found


def packed(reply: object) -> str:
    return base64.b64encode(zlib.compress(json.dumps(reply).encode())).decode()


@pytest.mark.parametrize("example", VALID, ids=lambda path: path.stem)
def test_a_valid_example_fits_the_schema_and_survives_the_types(example: Path) -> None:
    value = json.loads(example.read_text("utf-8"))
    assert schema_errors(example, value) == []
    structured = codec.structure(value, wire_type(example))
    again = json.loads(json.dumps(cattrs.Converter().unstructure(structured)))
    assert schema_errors(example, again) == []
    assert value.items() <= again.items() or value == without_defaults(again, value)


def without_defaults(again: Any, value: Any) -> Any:
    """`again` reduced to the keys that `value` has, at every level."""
    if isinstance(value, dict):
        return {key: without_defaults(again[key], value[key]) for key in value}
    if isinstance(value, list):
        return [without_defaults(a, v) for a, v in zip(again, value, strict=True)]
    return again


@pytest.mark.parametrize("example", INVALID, ids=lambda path: path.stem)
def test_an_invalid_example_is_refused_by_schema_and_types(example: Path) -> None:
    value = json.loads(example.read_text("utf-8"))
    assert schema_errors(example, value) != []
    with pytest.raises(WireError, match=definition_of(example)):
        codec.structure(value, wire_type(example))


@pytest.mark.parametrize("case", ENVELOPES, ids=lambda case: case["outcome"])
def test_an_envelope_is_told_whole_cut_or_foreign_whatever_is_around_it(
    case: dict[str, str],
) -> None:
    text, outcome = case["text"], case["outcome"]
    assert codec.has_envelope(text) == (outcome != "absent")
    if outcome == "whole":
        body = codec.open_envelope(text)
        assert codec.decode_reply(body, types.Released) == types.Released(released=2)
    elif outcome == "cut":
        with pytest.raises(codec.CutReplyError, match="cut"):
            codec.open_envelope(text)
    elif outcome == "damaged":
        with pytest.raises(WireError, match="damaged"):
            codec.decode_reply(codec.open_envelope(text), types.Released)
    else:
        with pytest.raises(WireError) as caught:
            codec.open_envelope(text)
        assert not isinstance(caught.value, codec.CutReplyError)


def test_a_reply_of_another_version_is_refused() -> None:
    with pytest.raises(WireError, match="unknown version"):
        codec.decode_reply(packed({"version": 2, "ok": {"released": 1}}), types.Released)


def test_a_remote_error_keeps_type_traceback_and_expression() -> None:
    error = json.loads((PROTOCOL / "examples/valid/Error.expression.json").read_text("utf-8"))
    with pytest.raises(ProbeError, match="division by zero") as caught:
        codec.decode_reply(packed({"version": 1, "error": error}), types.Roots)
    raised = caught.value
    assert raised.code == "expression_failed"
    assert raised.remote_type == "ZeroDivisionError"
    assert raised.remote_traceback == error["traceback"]
    assert raised.expression == "1/0"


def test_keys_that_a_newer_probe_adds_are_ignored() -> None:
    body = packed({"version": 1, "ok": {"released": 1, "new": [1]}, "extra": None})
    assert codec.decode_reply(body, types.Released) == types.Released(released=1)


def test_a_request_is_one_line_of_base64_that_decodes_to_what_the_schema_says() -> None:
    request = types.Request(version=1, id=3, stop="1.2", method="rows", params={"root": 1})
    text = codec.encode_request(request)
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
    assert schema_errors(Path("Request.json"), json.loads(base64.b64decode(text))) == []


def test_every_definition_has_a_generated_type_and_every_method_known_params() -> None:
    for name in ("Request", "Reply", *(d for m in SCHEMA["methods"].values() for d in m.values())):
        assert hasattr(types, name), name
    assert set(SCHEMA["methods"]) == set(SCHEMA["$defs"]["Request"]["properties"]["method"]["enum"])
    assert SCHEMA["version"] == codec.VERSION


def test_the_server_answers_every_method_of_an_editor_and_no_other() -> None:
    methods = {**EDITOR["requests"], **EDITOR["notifications"]}
    stated = {name: getattr(editor, one["params"]) for name, one in methods.items()}
    assert stated == server.METHODS
    assert EDITOR["version"] == server.VERSION
    for name in methods:
        assert callable(getattr(Debugging, name)), name


def test_generated_files_are_fresh() -> None:
    command = [sys.executable, str(PROTOCOL / "generate.py"), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
