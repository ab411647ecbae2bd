"""Inspections made by hand: what the renderers are tested on."""

from __future__ import annotations

from golden.building import NO_BACKWARD, Model, frozen, numbers, root, tensor
from gradpeek.inspection import Absence, RootInspection, Row, TensorFacts
from gradpeek.wire import types


def convolutional(*, backward: bool = True) -> RootInspection:
    """A small network before or after backward; its first layer is frozen."""
    model = Model()

    def grad(sizes: list[int], norm: float) -> TensorFacts | Absence:
        return tensor(sizes, norm) if backward else NO_BACKWARD

    model.module("modle1", "Sequential")
    model.module("modle1.0", "Conv2d")
    for name, sizes, norm in (("weight", [32, 3, 5, 5], 3.27), ("bias", [32], 0.45)):
        full = f"modle1.0.{name}"
        model.parameter(full, tensor(sizes, norm), frozen(full), badges=["frozen"])
    model.module("modle1.1", "MaxPool2d")
    model.module("modle1.2", "BatchNorm2d")
    model.parameter("modle1.2.weight", tensor([32], 5.65), grad([32], 0.0123))
    model.parameter("modle1.2.running_mean", tensor([32], 0.2), kind="buffer")
    model.parameter("modle1.2.num_batches_tracked", tensor([], 7.0, dtype="int64"), kind="buffer")
    model.module("modle1.10", "Linear")
    model.parameter("modle1.10.weight", tensor([10, 800], 1.63), grad([10, 800], 0.366))
    model.parameter("modle1.10.bias", tensor([10], 0.06), grad([10], 1.2e-05))
    model.parameter("scale", tensor([1], -0.5), grad([1], 0.25))
    return root("model", "module", "Net", model.totals(), aliases=["self.model"])


def badges() -> RootInspection:
    """One row for each badge and each kind of tensor that needs words."""
    model = Model("Everything")
    facts, size = tensor([4, 5], 1.5), [4, 5]
    broken = numbers(0.7, 20, nan=3, posinf=1)
    model.parameter("nan", facts, tensor(size, broken), badges=["grad_nan", "grad_inf"])
    model.parameter(
        "all_nan",
        tensor(size, numbers(None, 20, nan=20)),
        tensor(size, numbers(None, 20, neginf=20)),
        badges=["data_nan", "grad_inf"],
    )
    model.parameter(
        "zero", facts, tensor(size, numbers(0.0, 20, zeros=20)), badges=["grad_all_zero"]
    )
    model.parameter("frozen_with_gradient", facts, tensor(size, 0.1), badges=["frozen"])
    model.parameter("forgotten", facts, tensor(size, 0.1), badges=["not_in_optimizer"])
    model.parameter("old", facts, tensor(size, 0.1), badges=["earlier_backward"])
    model.parameter("w1", facts, tensor(size, 0.1), kind="tensor", badges=["unregistered"])
    model.parameter("novel", facts, tensor(size, 0.1), badges=["badge_of_tomorrow"])
    model.parameter(
        "elsewhere",
        tensor(size, 1.5, device="cuda:0", dtype="bfloat16"),
        tensor(size, 0.1, device="cuda:0"),
    )
    model.parameter("sparse", facts, tensor(size, 0.1, layout="sparse_coo", dtype="float16"))
    model.parameter("meta", tensor(size, device="meta", capability="meta: no data"), NO_BACKWARD)
    model.parameter(
        "sharded",
        tensor([2, 5], 1.1, tensor_type="DTensor Shard(0)"),
        tensor([2, 5], tensor_type="AsyncCollectiveTensor", capability="pending collective"),
    )
    model.parameter("ragged", tensor([3, -1, 4], 1.0, layout="nested", numel=40), NO_BACKWARD)
    model.parameter(
        "lazy",
        tensor(None, capability="uninitialized", tensor_type="UninitializedParameter"),
        Absence("uninitialized", "observed", "uninitialized", "lazy is uninitialized"),
    )
    model.parameter("empty", tensor([0, 5], numbers(None, 0)), tensor([0, 5], numbers(None, 0)))
    model.parameter("complex", tensor([1], numbers(5.0, 1, mean=3 - 4j), dtype="complex64"))
    model.parameter(
        "lost",
        facts,
        Absence("unknown", "unknown", "none", "lost has no gradient although others have one"),
    )
    return root("net", "module", "Everything", model.totals())


def shared() -> RootInspection:
    """A shared module, a tied weight and layers that only share."""
    model = Model("Transformer")
    model.module("encoder", "Encoder")
    model.module("encoder.embed", "Embedding", aliases=["decoder.embed"], names_total=2)
    embed = model.rows[-1]
    weight = model.parameter(
        "encoder.embed.weight",
        tensor([50257, 8], 9.5),
        tensor([50257, 8], 0.5),
        aliases=["decoder.embed.weight", "lm_head.weight"],
        names_total=3,
        badges=["tied"],
    )
    model.module("decoder", "Decoder")
    embed.more_parents = [model.rows[-1].index]
    model.module("lm_head", "Linear")
    weight.more_parents = [model.rows[-1].index]
    model.parameter(
        "deep",
        tensor([2], 1.0),
        tensor([2], 0.1),
        aliases=[f"copy{at}" for at in range(63)],
        names_total=131072,
        badges=["tied"],
    )
    return root("model", "module", "Transformer", model.totals())


def wrapped() -> RootInspection:
    """torch.compile around DDP around a module with a parametrization."""
    model = Model("OptimizedModule")
    model.module("_orig_mod", "DistributedDataParallel")
    model.module("_orig_mod.module", "Net")
    model.module("_orig_mod.module.fc", "ParametrizedLinear")
    fc = "_orig_mod.module.fc"
    model.parameter(f"{fc}.bias", tensor([4], 0.5), tensor([4], 0.1))
    model.module(f"{fc}.parametrizations", "ModuleDict")
    model.module(f"{fc}.parametrizations.weight", "ParametrizationList")
    for part, norm in (("original0", 1.25), ("original1", 1.5)):
        model.parameter(
            f"{fc}.parametrizations.weight.{part}",
            tensor([4, 3], norm),
            tensor([4, 3], 0.2),
            aliases=[f"_orig_mod.module.module.{part}"],
            names_total=2,
            more_parents=[2],
            badges=["tied"],
        )
    model.module(f"{fc}.parametrizations.weight.0", "_WeightNorm")
    model.module("_orig_mod.module.module", "Plain")
    model.parameter("_orig_mod.module.module.w", tensor([3], 0.5), tensor([3], 0.1))
    return root("model", "module", "OptimizedModule", model.totals())


def small_roots() -> list[RootInspection]:
    """Roots of one line each, and gradients."""
    non_leaf = Absence(
        "non_leaf",
        "observed",
        "non-leaf: gradient flowed to ox",
        "cx is a non-leaf made by MulBackward0: its gradient flows to ox; call cx.retain_grad() "
        "before backward to keep it here",
    )

    def single(facts: TensorFacts, grad: TensorFacts | Absence) -> list[Row]:
        model = Model()
        row = model.parameter("", facts, grad, kind="tensor")
        row.index, row.parent, row.module_type = 0, -1, None
        return [row]

    grads = []
    for at, (name, sizes, norm) in enumerate(
        (("modle1.0.weight", [32, 3, 5, 5], 0.366), ("modle1.0.bias", [32], 0.03))
    ):
        grads.append(Row(at, -1, "tensor", name, tensor=tensor(sizes, norm)))
        grads[-1].state = types.AutogradState(
            requires_grad=False,
            is_leaf=True,
            retains_grad=False,
            grad_fn=None,
            in_optimizer=None,
            optimizer_state=False,
        )
    error = types.Error(
        code="expression_failed",
        message="NameError: name 'lsos' is not defined",
        remote_type="NameError",
        expression="lsos",
    )
    return [
        root("cx", "tensor", "Tensor", single(tensor([1], 2520.0), non_leaf)),
        root("ox", "tensor", "Tensor", single(tensor([1], 0.42), tensor([1], 6000.0))),
        root(
            "batch.features",
            "tensor",
            "Tensor",
            single(tensor([64, 3], 13.9), NO_BACKWARD),
            frame=2,
        ),
        root("gradients", "gradients", "tuple", grads),
        root("opt", "optimizer", "AdamW"),
        root("scaler", "grad_scaler", "GradScaler", frame=1),
        root("sched", "scheduler", "CosineAnnealingLR"),
        root("lsos", None, "", error=error),
    ]


HOSTILE_NAMES = (
    "\x1b[31mred\x1b[0m",
    "line\nbreak\r\ttab",
    "[bold red]markup[/] :smile:",
    "<script>alert('x')</script>&amp;",
    "\u202egnp.exe\u2066",
    "zero\u200bwidth\ufeff",
    "lone\ud800surrogate",
    "\x9b2J\x07bell",
    "权重.层",
    "x" * 10_000,
)


def hostile() -> RootInspection:
    """Every text that comes from the program is hostile."""
    model = Model(HOSTILE_NAMES[0])
    for at, name in enumerate(HOSTILE_NAMES):
        model.module(f"m{at}", name)
        text = Absence("unknown", "unknown", name, f"{name} has no gradient")
        model.parameter(
            f"m{at}.{name}",
            tensor(
                [2], 1.0, dtype=name, device=name, layout=name, capability=name, tensor_type=name
            ),
            text,
            aliases=[name],
            names_total=2,
            badges=["tied", name],
        )
    return root(
        HOSTILE_NAMES[1], "module", HOSTILE_NAMES[0], model.rows, aliases=list(HOSTILE_NAMES)
    )


def deep(levels: int) -> RootInspection:
    """A chain of containers with one weight at its end."""
    model = Model()
    name = ""
    for level in range(levels):
        name = f"{name}.block{level}" if name else f"block{level}"
        model.module(name, "Sequential")
    model.parameter(f"{name}.weight", tensor([2, 2], 1.0), tensor([2, 2], 0.5))
    return root("model", "module", "Net", model.totals())


def wide(rows: int) -> RootInspection:
    """A model with this many parameters in layers of two."""
    found = [Row(0, -1, "module", "", module_type="Net")]
    for at in range(rows // 2):
        layer = len(found)
        found.append(Row(layer, 0, "module", f"layer{at}", module_type="Linear"))
        for name in ("weight", "bias"):
            row = Row(len(found), layer, "parameter", f"layer{at}.{name}", module_type="Linear")
            row.tensor, row.gradient = tensor([8, 8], 1.5), tensor([8, 8], 0.1)
            found.append(row)
    return root("model", "module", "Net", found)
