"""Kernels as PTX, the text that the driver of a GPU takes. Made without a GPU, and kept in the cache.

A thread jumps between many rules, and a GPU then waits for instructions above all: a kernel must fit into the cache for
instructions, or be not much larger. So loops stay loops there, which compilers would unroll, unless a kernel is tiny.

Memory of a thread's own holds anything when a kernel begins, as it does on the CPU from the second game on. Numba would
clear it: for a single step of a game that has much of it, this took ten times as long as the step.
"""

import re
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

from strandline.engine import binding, cache, stamps

TINY = 1 << 16
"""A kernel whose text is shorter than this may have its loops unrolled."""
NO_UNROLLING = '\n!9000 = distinct !{ !9000, !9001 }\n!9001 = !{ !"llvm.loop.unroll.disable" }\n'

Kernel = Callable[..., Any]
Argument = type[int] | np.dtype[Any]
"""What a kernel is given: a whole number, or an array of records or numbers."""


def kept(rules: ModuleType, kernel: Kernel, arguments: Sequence[Argument], capability: tuple[int, int]) -> Path:
    """The file in the cache with the text of the kernel."""
    major, minor = capability
    way = version("numba-cuda"), Path(__file__).read_bytes()
    folder = cache.folder() / stamps.named(rules, [kernel], arguments, *way)
    file = folder / f"{kernel.__name__}-{major}.{minor}.ptx"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        written = file.with_suffix(".part")
        written.write_text(text(rules, kernel, arguments, capability), encoding="utf-8")
        written.replace(file)
    return file


def text(rules: ModuleType, kernel: Kernel, arguments: Sequence[Argument], capability: tuple[int, int]) -> str:
    """The kernel over a game's rules, as PTX for GPUs of that compute capability or later ones."""
    import numba
    from numba import cuda
    from numba.cuda import dispatcher
    from numba.cuda.cudadrv import nvvm

    types = [numba.int64 if item is int else numba.from_dtype(item)[::1] for item in arguments]
    device = SimpleNamespace(compute_capability=capability)
    compile_ir = nvvm.compile_ir

    def compile_small(modules: list[str], **options: Any) -> bytes:
        modules = [without_clearing(module) for module in modules]
        found: bytes = compile_ir([without_unrolling(module) for module in modules], **options)
        return found if len(found) > TINY else bytes(compile_ir(modules, **options))

    with (
        mock.patch.object(dispatcher, "get_current_device", lambda: device),  # or it would look for a GPU here
        mock.patch.object(nvvm, "compile_ir", compile_small),
    ):
        bound = getattr(binding.cuda(rules, sys.modules[kernel.__module__]), kernel.__name__)
        found, _ = cuda.compile_ptx(bound.py_func, numba.void(*types), cc=capability)
    return str(found)


def without_clearing(module: str) -> str:
    """A module of LLVM's language in which arrays of the thread's own are not cleared."""
    return re.sub(r'\n  store .* zeroinitializer, .*%"_cudapy_lmem[^"]*"', "", module)


def without_unrolling(module: str) -> str:
    """A module of LLVM's language in which every jump back, to a label further up, asks that its loop stay one."""
    lines = []
    labels: set[str] = set()
    for line in module.split("\n"):
        if line.startswith("define"):
            labels.clear()
        elif found := re.match(r'"?([^\s":]+)"?:', line):
            labels.add(found[1])
        elif line.startswith("  br ") and not labels.isdisjoint(re.findall(r'label %"?([^\s",]+)', line)):
            line += ", !llvm.loop !9000"
        lines.append(line)
    return "\n".join(lines) + NO_UNROLLING
