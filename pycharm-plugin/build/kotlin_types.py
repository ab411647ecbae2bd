"""Writes Kotlin data classes of a schema, for Gson: kotlin_types.py SCHEMA OUTPUT HEADER."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any, cast

Json = dict[str, Any]

WIDTH = 100
PRIMITIVES = {"string": "String", "integer": "Int", "boolean": "Boolean"}
METHODS = {
    "requests": ("Requests", "Requests of the editor."),
    "notifications": ("Notifications", "Notifications of the editor."),
    "editor_requests": ("EditorRequests", "Requests of the server."),
    "editor_notifications": ("EditorNotifications", "Notifications of the server."),
}


def camel(name: str) -> str:
    """The name as Kotlin writes a property."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def constant(name: str) -> str:
    """The name as Kotlin writes a constant."""
    return name.upper()


def kdoc(text: str | None, indent: str = "") -> str:
    """The text as a comment in front of a declaration; empty for none."""
    if text is None:
        return ""
    if len(indent) + len(text) + 8 <= WIDTH:
        return f"{indent}/** {text} */\n"
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
    return "".join(
        f"{indent}{line}\n" for line in ("/**", *(f" * {line}" for line in lines), " */")
    )


def kotlin_type(schema: Json, owner: str, name: str) -> str:
    """The type of a property, without its question mark.

    Raises:
        KeyError: the schema uses a construct that is not known here.
    """
    if "$ref" in schema:
        return cast("str", schema["$ref"]).rsplit("/", 1)[-1]
    if "enum" in schema:
        return owner + name[0].upper() + camel(name[1:])
    kinds = [kind for kind in kinds_of(schema) if kind != "null"]
    if kinds == ["array"]:
        return f"List<{kotlin_type(schema['items'], owner, name)}>"
    return PRIMITIVES[kinds[0]]


def kinds_of(schema: Json) -> list[str]:
    """The JSON types that a schema allows."""
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def enumeration(name: str, schema: Json) -> str:
    """An enum class of the texts of an enumeration."""
    values = "".join(
        f'    @SerializedName("{value}")\n    {constant(value)},\n' for value in schema["enum"]
    )
    return f"{kdoc(schema.get('description'))}enum class {name} {{\n{values}}}\n"


def data_class(name: str, schema: Json) -> str:
    """A data class, after the enumerations that only it uses."""
    properties = schema["properties"]
    if not properties:
        return f"{kdoc(schema.get('description'))}class {name}\n"
    parts = [
        enumeration(kotlin_type(of, name, key), {"enum": of["enum"]})
        for key, of in properties.items()
        if "enum" in of
    ]
    lines = []
    for key, of in properties.items():
        is_left_out, is_null = key not in schema["required"], "null" in kinds_of(of)
        marks = ("@OrLeftOut " if is_left_out else "") + ("@OrNull " if is_null else "")
        declared = f"val {camel(key)}: {kotlin_type(of, name, key)}"
        declared += "?" if is_left_out or is_null else ""
        declared += " = null" if is_left_out else ""
        words = of.get("description")
        if is_left_out and of.get("default") is not None:
            words = f"{words + ' ' if words else ''}Left out, it is {of['default']}."
        mark = f'@SerializedName("{key}") {marks}'
        lines.append(f"{kdoc(words, '    ')}    {mark}{declared},\n")
    parts.append(f"{kdoc(schema.get('description'))}data class {name}(\n{''.join(lines)})\n")
    return "\n".join(parts)


def methods(name: str, description: str, of: dict[str, Json]) -> str:
    """An object that holds the methods of one direction."""
    lines = []
    for method, facts in of.items():
        types = [facts[key] for key in ("params", "result") if key in facts]
        kind = "Request" if "result" in facts else "Notification"
        classes = ", ".join(f"{each}::class.java" for each in types)
        lines.append(
            f"{kdoc(facts['description'], '    ')}"
            f'    val {constant(method)} = {kind}("gradpeek/{method}", {classes})\n'
        )
    return f"{kdoc(description)}object {name} {{\n" + "\n".join(lines) + "}\n"


def kotlin(schema: Json, header: str) -> str:
    """The whole file."""
    comment = "".join(f"// {line}\n" for line in header.splitlines())
    top = (
        f"{comment}package dev.gradpeek.protocol\n\n"
        "import com.google.gson.annotations.SerializedName\n\n"
        f"/** The version of the protocol. */\nconst val VERSION = {schema['version']}\n"
    )
    definitions = [
        (enumeration if "enum" in of else data_class)(name, of)
        for name, of in schema["$defs"].items()
    ]
    objects = [methods(*METHODS[kind], schema[kind]) for kind in METHODS]
    return "\n".join([top, *definitions, *objects])


if __name__ == "__main__":
    source, output, words = sys.argv[1:]
    Path(output).write_text(kotlin(json.loads(Path(source).read_text("utf-8")), words), "utf-8")
