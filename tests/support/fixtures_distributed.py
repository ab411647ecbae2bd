"""Sharded, replicated and pending tensors and their modules, on a gloo group of one process."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from support.tables import into, seeded

TENSORS: dict[str, Callable[[], Any]] = {}
MODULES: dict[str, Callable[[], Any]] = {}


def process_group() -> None:
    """Make this process a group of one, once."""
    import torch.distributed as dist

    if not dist.is_initialized():
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        atexit.register(dist.destroy_process_group)


def _mesh() -> Any:
    from torch.distributed.device_mesh import init_device_mesh

    process_group()
    return init_device_mesh("cpu", (1,))


_tensor = into(TENSORS)
_module = into(MODULES)

_RECENT = hasattr(torch, "float8_e8m0fnu")
"""torch 2.7 and later: what is public there has moved since torch 2.0."""

if torch.distributed.is_available():

    @_module
    def _distributed_data_parallel() -> Any:
        process_group()
        model = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(3, 4), nn.ReLU()))
        model(seeded(2, 3)).square().sum().backward()
        return model


if torch.distributed.is_available() and _RECENT:

    @_tensor
    def _sharded() -> Any:
        from torch.distributed.tensor import Shard, distribute_tensor

        return distribute_tensor(seeded(4, 3), _mesh(), [Shard(0)])

    @_tensor
    def _replicated() -> Any:
        from torch.distributed.tensor import Replicate, distribute_tensor

        return distribute_tensor(seeded(4, 3), _mesh(), [Replicate()])

    @_tensor
    def _partial_sum() -> Any:
        from torch.distributed.tensor import DTensor, Partial

        return DTensor.from_local(seeded(4, 3), _mesh(), [Partial()])

    @_tensor
    def _sharded_to_nothing_here() -> Any:
        from torch.distributed.tensor import DTensor, Shard

        shape, stride = torch.Size((1, 3)), (3, 1)
        local = torch.empty(0, 3)
        return DTensor.from_local(local, _mesh(), [Shard(0)], shape=shape, stride=stride)

    @_tensor
    def _sharded_and_pending() -> Any:
        import torch.distributed._functional_collectives as collectives
        from torch.distributed.tensor import DTensor, Replicate

        mesh = _mesh()
        pending = collectives.all_reduce(seeded(4, 3), "sum", mesh)
        atexit.register(collectives.wait_tensor, pending)
        return DTensor.from_local(pending, mesh, [Replicate()], run_check=False)

    @_tensor
    def _pending_collective() -> Any:
        import torch.distributed._functional_collectives as collectives

        pending = collectives.all_reduce(seeded(4, 3), "sum", _mesh())
        atexit.register(collectives.wait_tensor, pending)
        return pending

    @_module
    def _fully_sharded() -> Any:
        from torch.distributed.fsdp import fully_shard

        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        fully_shard(model, mesh=_mesh())
        return model

    @_module
    def _fully_sharded_with_gradients() -> Any:
        model = MODULES["fully sharded"]()
        model(seeded(2, 3)).square().sum().backward()
        return model

    @_module
    def _tensor_parallel() -> Any:
        from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        return parallelize_module(model, _mesh(), {"0": ColwiseParallel()})
