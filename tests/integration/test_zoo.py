"""Every architecture of transformers: rows against torch's own lists, numbers against float64.

Nothing is downloaded: models are built from their configurations, made tiny, on the meta device
for names and shapes and on the CPU with random weights for values.
"""

from __future__ import annotations

import math
import os
import warnings
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"  # before transformers is imported

import pytest
import torch
import transformers

from gradpeek import grads
from gradpeek.inspection import RootInspection, Statistics
from support.probing import Seen, ask, new_stop, rows_of

transformers.logging.set_verbosity(transformers.logging.CRITICAL)
CONFIGS = transformers.CONFIG_MAPPING
CHUNKS = 24
BUILT_A_CHUNK = 16
"""At least so many of the 34 architectures of a chunk have to build: 384 in all, of 570 that do."""

FEW_LAYERS = {
    **dict.fromkeys(("num_hidden_layers", "num_layers", "n_layer", "n_layers"), 2),
    **dict.fromkeys(("encoder_layers", "decoder_layers"), 2),
    **dict.fromkeys(("num_encoder_layers", "num_decoder_layers", "num_local_experts"), 2),
    **dict.fromkeys(("num_experts", "n_routed_experts"), 4),
}
SMALL = {
    **FEW_LAYERS,
    **dict.fromkeys(("hidden_size", "d_model", "n_embd", "dim"), 32),
    **dict.fromkeys(("intermediate_size", "ffn_dim", "d_ff", "hidden_dim"), 64),
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), 64),
    **dict.fromkeys(("max_position_embeddings", "n_positions"), 64),
    **dict.fromkeys(("num_attention_heads", "num_heads", "n_head", "n_heads"), 4),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 4),
    "num_key_value_heads": 2,
    "head_dim": 8,
    "vocab_size": 99,
    "pad_token_id": 0,
}
TRAINED = (
    *("albert", "apertus", "arcee", "aria_text", "bart", "beam", "bert", "bert-generation"),
    *("big_bird", "bigbird_pegasus", "biogpt", "bitnet", "bloom", "camembert", "canine"),
    *("clip_text_model", "cohere", "cohere2", "convbert", "ctrl", "cwm", "data2vec-text"),
    *("deberta", "deberta-v2", "diffllama", "distilbert", "doge", "dpr", "electra", "ernie"),
    *("ernie4_5", "eurobert", "exaone", "exaone4", "falcon_mamba", "flaubert", "fnet", "fsmt"),
    *("gemma", "gemma2", "gemma3", "gemma3_text", "glm", "glm4", "gpt-sw3", "gpt2"),
    *("gpt_bigcode", "gpt_neox", "gpt_neox_japanese", "gpt_oss", "granite", "granitemoe"),
    *("granitemoeshared", "helium", "ibert", "idefics3", "imagegpt", "internvl", "jetmoe"),
    *("layoutlm", "led", "lfm2", "llama", "llama4_text", "llava", "longformer", "mamba"),
    *("mbart", "megatron-bert", "minimax", "ministral3", "mistral", "mixtral", "mobilebert"),
    *("modernbert", "modernbert-decoder", "moshi", "mpnet", "mpt", "mra", "mvp", "nanochat"),
    *("nystromformer", "olmo", "olmo2", "olmo3", "openai-gpt", "opt", "paligemma", "persimmon"),
    *("phi", "phi3", "phimoe", "plbart", "qwen2", "qwen3", "rembert", "roberta", "roformer"),
    *("seed_oss", "smollm3", "smolvlm", "splinter", "stablelm", "starcoder2", "tapas"),
    *("vipllava", "visual_bert", "xglm", "xlm", "xlm-roberta", "yoso"),
)
TRAINED_CHUNKS = 12


def shrunk(config: Any, wanted: dict[str, int]) -> Any:
    """A configuration with small numbers wherever it and its parts have such a number at all."""
    usual = config()

    def present(part: Any) -> dict[str, Any]:
        return {
            name: size for name, size in wanted.items() if type(getattr(part, name, None)) is int
        }

    arguments = present(usual)
    for name in getattr(config, "sub_configs", {}):
        part = getattr(usual, name, None)
        if part is not None:
            kind = {"model_type": part.model_type} if part.model_type else {}
            arguments[name] = {**present(part), **kind}
    return config(**arguments)


def built_on_meta(architecture: str) -> Any:
    """The model without data, with few layers where that can be had; None if neither builds."""
    model = on_meta(architecture, FEW_LAYERS)
    return model if model is not None else on_meta(architecture, {})


def on_meta(architecture: str, wanted: dict[str, int]) -> Any:
    try:
        config = shrunk(CONFIGS[architecture], wanted) if wanted else CONFIGS[architecture]()
        with torch.device("meta"):
            return transformers.AutoModel.from_config(config)
    except Exception as raised:
        print(f"{architecture} does not build: {type(raised).__name__}: {raised}"[:200])
        return None


def grouped(*named: Any) -> list[list[str]]:
    """Names by the identity of what they name."""
    groups: dict[int, tuple[Any, list[str]]] = {}
    for one in named:
        for name, value in one:
            groups.setdefault(id(value), (value, []))[1].append(name)
    return [names for _, names in groups.values()]


def rows(model: Any) -> list[Seen]:
    stop = new_stop()
    (root,) = ask(stop, "roots", {"expressions": ["model"]}, {"model": model})["roots"]
    found = rows_of(stop, root["id"])
    ask(stop, "release", {}, {})
    return found


def assert_lists_what_torch_lists(model: Any) -> None:
    found = rows(model)
    registered = [row for row in found if row.kind in ("parameter", "buffer")]
    parameters = dict(model.named_parameters(remove_duplicate=False))
    buffers = dict(model.named_buffers(remove_duplicate=False))
    wanted = grouped(parameters.items(), buffers.items())
    assert all(row.names_total == len(row.names) for row in registered)
    assert sorted(sorted(row.names) for row in registered) == sorted(map(sorted, wanted))
    first = [row.name for row in registered if row.kind == "parameter"]
    assert first == [name for name, _ in model.named_parameters()]
    modules = [row for row in found if row.kind == "module"]
    assert [row.names for row in modules] == grouped(model.named_modules(remove_duplicate=False))
    assert [row.module_type for row in modules] == [type(m).__name__ for m in model.modules()]
    for row in registered:
        tensor = parameters.get(row.name, buffers.get(row.name))
        assert tensor is not None
        assert row.facts is not None
        assert row.state is not None
        assert row.facts["shape"] == list(tensor.shape)
        assert row.facts["dtype"] == str(tensor.dtype)[6:]
        assert row.facts["device"] == str(tensor.device)
        assert row.facts["numel"] == tensor.numel()
        assert row.state["requires_grad"] == tensor.requires_grad
        holder, _, _ = row.name.rpartition(".")
        assert holder in found[row.parent].names
    total = sum(row.facts["numel"] for row in registered if row.facts and row.kind == "parameter")
    assert total == sum(parameter.numel() for parameter in model.parameters())


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_names_shapes_ties_and_modules_are_those_of_torch(chunk: int) -> None:
    built = 0
    for architecture in sorted(CONFIGS.keys())[chunk::CHUNKS]:
        model = built_on_meta(architecture)
        if model is not None:
            built += 1
            assert_lists_what_torch_lists(model)
    assert built >= BUILT_A_CHUNK


@pytest.mark.parametrize("chunk", range(TRAINED_CHUNKS))
def test_values_gradients_and_subtotals_are_those_of_float64(chunk: int) -> None:
    torch.manual_seed(chunk)
    for architecture in TRAINED[chunk::TRAINED_CHUNKS]:
        model = transformers.AutoModel.from_config(shrunk(CONFIGS[architecture], SMALL)).eval()
        assert_numbers_agree(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = model(input_ids=torch.randint(1, 90, (1, 8)))[0]
        (result.float() * torch.randn(result.shape)).sum().backward()
        assert any(parameter.grad is not None for parameter in model.parameters())
        assert_numbers_agree(model)


def test_more_than_100_architectures_are_trained() -> None:
    assert len(set(TRAINED)) > 100
    assert set(TRAINED) <= set(CONFIGS.keys())


def assert_numbers_agree(model: Any) -> None:
    (root,) = grads(model).inspection.roots
    parameters, buffers = dict(model.named_parameters()), dict(model.named_buffers())
    for row in root.tensors():
        tensor = parameters.get(row.name, buffers.get(row.name))
        if row.kind == "tensor" or tensor is None or row.tensor is None:
            assert row.kind == "tensor", row.name
            continue
        assert_statistics(row.tensor.statistics, [tensor])
        assert (row.gradient is None) == (tensor.grad is None), row.name
        if row.gradient is not None:
            assert_statistics(row.gradient.statistics, [tensor.grad])
    assert_subtotals(root, model)


def assert_subtotals(root: RootInspection, model: Any) -> None:
    modules = dict(model.named_modules())
    for row in root.rows:
        if row.kind == "module":
            mine = list(modules[row.name].parameters())
            assert_statistics(row.data_total, mine)
            assert_statistics(row.grad_total, [p.grad for p in mine if p.grad is not None])


def assert_statistics(found: Statistics | None, tensors: list[Any]) -> None:
    values = [tensor.detach().to_dense().double().reshape(-1) for tensor in tensors]
    everything = torch.cat(values) if values else torch.empty(0)
    if not everything.numel():
        assert found is None or found.count == 0
        return
    assert found is not None
    finite = everything[everything.isfinite()]
    assert found.count == everything.numel()
    assert found.zeros == int((everything == 0).sum())
    assert found.nan + found.posinf + found.neginf == everything.numel() - finite.numel()
    if not finite.numel():
        assert found.norm is None
        return
    rms = float(finite.square().mean().sqrt())
    assert found.norm == pytest.approx(float(finite.norm()), rel=1e-5)
    assert found.mean == pytest.approx(float(finite.mean()), abs=1e-5 * rms)
    rounding = 1e-12 * rms * math.sqrt(finite.numel())
    assert found.std == pytest.approx(float(finite.std(correction=0)), rel=1e-5, abs=rounding)
    assert (found.min, found.max) == (float(finite.min()), float(finite.max()))
