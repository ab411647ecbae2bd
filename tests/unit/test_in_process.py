"""`gradpeek.grads` in plain code, in pdb, in a running event loop and in a notebook's shell."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

import gradpeek
from gradpeek.errors import ProbeError
from gradpeek.probe_client import ProbeClient
from gradpeek.wire import types
from support.kinds import KINDS


def trained() -> tuple[torch.nn.Module, torch.optim.Optimizer]:
    """A model whose first layer has a gradient and whose second is frozen."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))
    model[1].requires_grad_(False)
    model(torch.randn(5, 3)).sum().backward()
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def test_the_repr_is_the_tree_of_the_callers_variable() -> None:
    net, _ = trained()
    text = repr(gradpeek.grads(net))
    norm = f"{net[0].weight.grad.norm().item():.3g}"
    assert text.startswith("net  Sequential")
    assert norm in text
    assert "frozen" in text
    assert "\x1b" not in text


def test_rows_are_there_as_data() -> None:
    net, _ = trained()
    rows = {row.name: row for row in gradpeek.grads(net).inspection.roots[0].rows}
    weight = rows["0.weight"]
    assert weight.gradient is not None
    assert weight.gradient.statistics is not None
    assert weight.gradient.statistics.norm == pytest.approx(net[0].weight.grad.norm().item())
    frozen = rows["1.weight"].absence
    assert frozen is not None
    assert frozen.reason == "requires_grad_false"


def test_without_an_argument_it_shows_what_the_calling_frame_holds() -> None:
    net, optimizer = trained()
    loss = net(torch.ones(1, 3)).sum()
    roots = gradpeek.grads().inspection.roots
    assert [root.root.expression for root in roots] == ["net", "loss", "optimizer"]
    assert optimizer.param_groups
    assert loss.grad_fn is not None


def test_an_object_without_a_name_is_called_after_its_class() -> None:
    assert repr(gradpeek.grads(torch.nn.Linear(2, 2))).startswith("linear  Linear")


def test_gradients_as_autograd_returns_them_are_named_after_the_parameters_of_the_frame() -> None:
    net, _ = trained()
    found = torch.autograd.grad(net(torch.ones(1, 3)).sum(), list(net[0].parameters()))
    net = net[0]
    assert [row.name for row in gradpeek.grads(found).inspection.roots[0].rows] == [
        "weight",
        "bias",
    ]


def test_what_has_no_gradients_is_refused_by_name() -> None:
    number = 3
    root = gradpeek.grads(number).inspection.roots[0].root
    assert root.error is not None
    assert "int" in root.error.message


def test_two_objects_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="one object"):
        gradpeek.grads(1, 2)


def test_it_works_inside_a_running_event_loop() -> None:
    async def cell() -> str:
        net, _ = trained()
        return repr(gradpeek.grads(net))

    assert asyncio.run(cell()).startswith("net  Sequential")


def test_nothing_keeps_the_object_alive_afterwards() -> None:
    net, _ = trained()
    weight = net[0].weight
    before = sys.getrefcount(weight), sys.getrefcount(net)
    shown = gradpeek.grads(net)
    assert (sys.getrefcount(weight), sys.getrefcount(net)) == before
    assert shown.inspection.complete


def test_a_dict_that_the_program_got_from_locals_keeps_its_names() -> None:
    net, _ = trained()
    names = locals()
    gradpeek.grads(net)
    assert names["net"] is net


def test_a_notebook_shows_html_and_a_console_text() -> None:
    shell = InteractiveShell.instance()
    try:
        net, _ = trained()
        shell.push({"net": net, "grads": gradpeek.grads})
        result = shell.run_cell("grads(net)").result
        formats, _ = shell.display_formatter.format(result)
    finally:
        InteractiveShell.clear_instance()
    assert formats["text/plain"].startswith("net  Sequential")
    assert "<pre" in formats["text/html"]
    assert "net" in formats["text/html"]


def test_it_prints_the_tree_in_pdb(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "import torch, gradpeek\n"
        "model = torch.nn.Linear(2, 2)\n"
        "model(torch.ones(1, 2)).sum().backward()\n"
        "breakpoint()\n"
        "print('done')\n",
        "utf-8",
    )
    session = subprocess.run(
        [sys.executable, str(script)],
        input="gradpeek.grads(model)\nc\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "model  Linear" in session.stdout
    assert "weight" in session.stdout
    assert session.stdout.rstrip().endswith("done")


def test_importing_gradpeek_loads_neither_torch_nor_its_own_machinery() -> None:
    code = (
        "import sys, gradpeek; "
        "print([m for m in ('torch', 'rich', 'cattrs', 'debugpy') if m in sys.modules])"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "[]"


def test_a_process_without_torch_is_told_so() -> None:
    code = (
        "import gradpeek\n"
        "try:\n    gradpeek.grads(3)\n"
        "except gradpeek.errors.ProbeError as error:\n    print(error.code)\n"
    )
    asked = subprocess.run(
        [sys.executable, "-c", "import gradpeek.errors\n" + code],
        capture_output=True,
        text=True,
        check=True,
    )
    assert asked.stdout.strip() == "no_torch"
    assert issubclass(ProbeError, Exception)


@pytest.mark.parametrize("kind", KINDS)
def test_answers_in_the_process_are_those_that_come_over_the_wire(kind: str) -> None:
    from gradpeek.in_process.client import LocalClient
    from gradpeek.probe.frames import Scope

    value = KINDS[kind]()
    names = {"torch": torch, "value": value}

    class Near:
        async def evaluate(self, expression: str, frame_id: int) -> str:
            return str(eval(expression, dict(names)))

    async def answers(client: Any) -> list[Any]:
        roots = await client.roots("stop", 0, types.RootsParams(expressions=["value", "1 / 0"]))
        root = roots.roots[0].id
        found = [roots.roots[0], replace(roots.roots[1].error, traceback=None), roots.facts]
        found.append(await client.rows("stop", 0, types.RowsParams(root=root)))
        asked = types.StatisticsParams(root=root, budget_s=60.0)
        found.append(await client.statistics("stop", 0, asked))
        with pytest.raises(ProbeError) as raised:
            await client.rows("stop", 0, types.RowsParams(root=99))
        released = await client.release("stop", 0, types.ReleaseParams())
        return [*found, raised.value.code, str(raised.value), released]

    local = LocalClient()
    local.scope = Scope(None, names, names)
    assert asyncio.run(answers(local)) == asyncio.run(answers(ProbeClient(Near())))
