"""Make a WebAssembly module of drivers over one game's rules: Numba's LLVM text, aimed at wasm and linked by itself.

A module imports nothing. It exports its `memory`, the end of what it uses of it (`__heap_base`), the place `box` where
the numbers and tables of the game's box belong, and its kernels. Each kernel takes one whole number: where in memory
its arguments are, 64 bits each. The first is left for the result; then follow, in the order of the Python function,
numbers as they are and arrays as an address and the length of each dimension.

Needs Numba and the wheel `ziglang`, which brings LLVM's linker.
"""

import ctypes
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from unittest import mock

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.core import consts, types
from numba.core.base import BaseContext
from numba.core.errors import ConstantInferenceError
from numba.extending import typeof_impl

from strandline.engine.binding import Binder, compiled_once
from strandline.engine.records import dtype_of
from strandline.engine.speeds import Kind, ctype

SETTINGS = {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
"""What must stand in the environment when Numba is imported: it takes its settings once."""
SECTION = "strandline"
"""The custom section that says what a module is."""
TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
FEATURES = "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
INLINED = 3000, 2000
"""How eagerly functions are inlined, since calls are dear: in a small module nearly all of them, in others less, where
too much at a time is wanted in registers."""
SMALL = 60_000
"""Bytes of a small module."""
COMPARING = '"no-jump-tables"="true"'
"""Branches of three or four ways as comparisons: jumping by a table waits for a load and is foreseen less well."""
VECTORS = 10
"""How much two or more steps taken as one vector must save, by LLVM's reckoning, which thinks too well of pairs."""
BOX = "box"
BOX_ROOM = 512
"""More 64-bit places than any box needs while it is compiled; the module gets as many as it uses."""

Argument = type[int] | tuple[Kind, int]
"""What a kernel is given: a whole number, or an array of that many dimensions."""


class BoxNumber:
    """A number of the box while a module is compiled: nothing can be known of it before it is loaded."""

    def __init__(self, place: int) -> None:
        self.place = place

    def __eq__(self, other: object) -> bool:
        raise TypeError("The box is not known yet.")

    def __bool__(self) -> bool:
        raise TypeError("The box is not known yet.")

    __hash__ = object.__hash__


@typeof_impl.register(BoxNumber)  # type: ignore[untyped-decorator]
def _typeof(value: BoxNumber, context: Any) -> types.Type:
    return types.int64


class BoxBinder(Binder):
    """Binds rules so that what the box says can stay open: numbers and tables are read from the module's memory."""

    def __init__(self, rules: ModuleType, any_box: bool) -> None:
        compiled = numba.njit(nogil=True, error_model="numpy")

        def wrap(copy: FunctionType, function: FunctionType) -> Any:
            # One of each rule is inlined sooner; of what hints do with narrow numbers more fits into a vector.
            return compiled_once(compiled(copy)) if function.__module__ == rules.__name__ else compiled(copy)

        super().__init__(rules, wrap)
        self.any_box = any_box
        self.entries: dict[str, tuple[int, int]] = {}
        """By module and name: the first place in the box's memory, and the number of dimensions."""
        self.places = 0
        self.arrays: dict[int, tuple[int, Any]] = {}
        """By the identity of the array that stands for a table: its first place, and the array."""

    def put(self, module: str, name: str, value: Any) -> Any:
        """A global for the compiler; one of the box as what is loaded later."""
        found = super().put(module, name, value)
        if not (self.any_box and self.walk.is_box_data(module, name, value)):
            return found
        part = module.rpartition(".")[2]
        dimensions = found.ndim if isinstance(found, np.ndarray) else 0
        if f"{part}.{name}" not in self.entries:
            self.entries[f"{part}.{name}"] = self.places, dimensions
            self.places += 1 + 2 * dimensions
        place, _ = self.entries[f"{part}.{name}"]
        if not dimensions:
            return BoxNumber(place)
        self.arrays[id(found)] = place, found
        return found

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """While it lasts, Numba loads what is of the box."""
        constant, array, infer = (
            BaseContext.get_constant_generic,
            BaseContext.make_constant_array,
            consts.ConstantInference.infer_constant,
        )

        def load(builder: Any, place: int) -> Any:
            kind = ir.ArrayType(ir.IntType(64), BOX_ROOM)
            memory = builder.module.globals.get(BOX) or ir.GlobalVariable(builder.module, kind, BOX)
            index = [ir.Constant(ir.IntType(32), number) for number in (0, place)]
            found = builder.load(builder.gep(memory, index, inbounds=True))
            found.set_metadata("invariant.load", builder.module.add_metadata([]))
            return found

        def get_constant_generic(context: Any, builder: Any, kind: Any, value: Any) -> Any:
            if isinstance(value, BoxNumber):
                return load(builder, value.place)
            return constant(context, builder, kind, value)

        def make_constant_array(context: Any, builder: Any, kind: Any, value: Any) -> Any:
            if id(value) not in self.arrays:
                return array(context, builder, kind, value)
            place, _ = self.arrays[id(value)]
            found = context.make_array(kind)(context, builder)
            many = value.ndim
            context.populate_array(
                found,
                data=builder.inttoptr(load(builder, place), found.data.type),
                shape=[load(builder, place + 1 + i) for i in range(many)],
                strides=[
                    *(load(builder, place + 1 + many + i) for i in range(many - 1)),
                    context.get_constant(types.intp, value.itemsize),
                ],
                itemsize=context.get_constant(types.intp, value.itemsize),
                parent=None,
                meminfo=None,
            )
            return found._getvalue()

        def infer_constant(inference: Any, name: str, loc: Any = None) -> Any:
            found = infer(inference, name, loc)
            if isinstance(found, BoxNumber):
                raise ConstantInferenceError("The box is not known yet.")
            return found

        with (
            mock.patch.object(BaseContext, "get_constant_generic", get_constant_generic),
            mock.patch.object(BaseContext, "make_constant_array", make_constant_array),
            mock.patch.object(consts.ConstantInference, "infer_constant", infer_constant),
        ):
            yield


def module(
    rules: ModuleType,
    kernels: Mapping[str, tuple[FunctionType, Sequence[Argument]]],
    about: Mapping[str, Any],
    any_box: bool,
) -> bytes:
    """The module with these kernels, each a function with what it is given, for this box or any that is told to it.

    `about` goes into its custom section.
    """
    binder = BoxBinder(rules, any_box)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.add_symbol(BOX, ctypes.addressof(_box_stand_in))
    made = llvm.parse_assembly(f'target triple = "{TRIPLE}"\ntarget datalayout = "{LAYOUT}"\n')
    for name, (function, arguments) in kernels.items():
        with binder.compiling():
            dispatcher = binder.bound(function)
            dispatcher.compile(tuple(_numba_type(argument) for argument in arguments))
        overload = dispatcher.overloads[dispatcher.signatures[0]]
        made.link_in(_aimed(overload.library.get_llvm_str()))
        main = made.get_function(overload.fndesc.llvm_func_name)
        made.link_in(llvm.parse_assembly(_entry(name, main, arguments)))
    made.link_in(llvm.parse_assembly(f"@{BOX} = global [{max(binder.places, 1)} x i64] zeroinitializer, align 16"))
    box = {name: list(entry) for name, entry in sorted(binder.entries.items())}
    return _inlined(made.as_bitcode(), kernels) + _section({**about, "box": box})


_box_stand_in = (ctypes.c_int64 * BOX_ROOM)()
"""What Numba links its own code with, which is never run."""


def _numba_type(argument: Argument) -> Any:
    if isinstance(argument, tuple):
        kind, dimensions = argument
        return types.Array(numba.from_dtype(dtype_of(ctype(kind))), dimensions, "C")
    return numba.int64


def _aimed(text: str) -> Any:
    """Numba's text as a module for wasm, without reference counting: arrays that come from outside own nothing."""
    text = re.sub(r"target triple = .*", f'target triple = "{TRIPLE}"', text)
    text = re.sub(r"target datalayout = .*", f'target datalayout = "{LAYOUT}"', text)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    text = re.sub(r"^(define .*)\{$", rf"\1 {COMPARING} {{", text, flags=re.M)
    # No index is negative here, and nothing wraps: only then is a field's place part of the instruction that reads it.
    text = re.sub(r"= getelementptr (inbounds )?", "= getelementptr inbounds nuw ", text)
    text = re.sub(rf"(@{BOX} = external global) \[{BOX_ROOM} x i64\]", r"\1 [0 x i64]", text)
    text = re.sub(r"(define [^\n]*@NRT_(?:inc|dec)ref\([^\n]*\{\n).*?\n\}", r"\1  ret void\n}", text, flags=re.S)
    return llvm.parse_assembly(text)


def _entry(name: str, main: Any, arguments: Sequence[Argument]) -> str:
    """The exported function: it takes its arguments from memory and calls Numba's, which has arrays flattened."""
    lines, passed, place = [], ["ptr %result", "ptr %error"], 1

    def take(kind: str) -> str:
        nonlocal place
        lines.append(f"  %at{place} = getelementptr i64, ptr %arguments, i32 {place}")
        lines.append(f"  %value{place} = load i64, ptr %at{place}")
        found = f"i64 %value{place}"
        if kind == "ptr":
            lines.append(f"  %pointer{place} = inttoptr i64 %value{place} to ptr")
            found = f"ptr %pointer{place}"
        place += 1
        return found

    for number, argument in enumerate(arguments):
        if not isinstance(argument, tuple):
            passed.append(take("i64"))
            continue
        kind, dimensions = argument
        size = ctypes.sizeof(ctype(kind))
        address = take("ptr")
        shape = [take("i64") for _ in range(dimensions)]
        items, strides = shape[-1], [f"i64 {size}"]
        for i in range(dimensions - 1, 0, -1):
            lines.append(f"  %stride{number}.{i} = mul i64 {strides[0][4:]}, {shape[i][4:]}")
            strides.insert(0, f"i64 %stride{number}.{i}")
            lines.append(f"  %items{number}.{i} = mul i64 {items[4:]}, {shape[i - 1][4:]}")
            items = f"i64 %items{number}.{i}"
        passed += ["ptr null", "ptr null", items, f"i64 {size}", address, *shape, *strides]
    kinds = [item.partition(" ")[0] for item in passed]
    assert kinds == [str(argument.type) for argument in main.arguments], (kinds, str(main.type))
    return f"""target triple = "{TRIPLE}"
target datalayout = "{LAYOUT}"
declare i32 @"{main.name}"({", ".join(kinds)})
declare void @llvm.trap()
define void @"{name}"(ptr noalias %arguments) {COMPARING} {{
  %result = alloca i64
  %error = alloca ptr
  store i64 0, ptr %result
{chr(10).join(lines)}
  %status = call i32 @"{main.name}"({", ".join(passed)})
  %failed = icmp sgt i32 %status, 0
  br i1 %failed, label %fail, label %done
fail:
  call void @llvm.trap()
  unreachable
done:
  %found = load i64, ptr %result
  store i64 %found, ptr %arguments
  ret void
}}
"""


def _inlined(code: bytes, kernels: Mapping[str, Any]) -> bytes:
    """The module, inlined as eagerly as its size allows."""
    for eagerness in INLINED:
        found = _linked(_optimised(llvm.parse_bitcode(code), kernels, eagerness), [*kernels, BOX])
        if len(found) <= SMALL:
            break
    return found


def _optimised(made: Any, kernels: Mapping[str, Any], eagerness: int) -> bytes:
    """The object code: everything but the kernels and the box is the module's own, and may be inlined away."""
    for thing in [*made.functions, *made.global_variables]:
        if not thing.is_declaration:
            thing.linkage = "external" if thing.name in kernels or thing.name == BOX else "internal"
    llvm.set_option("", f"--slp-threshold={VECTORS}")
    llvm.set_option("", f"--inline-threshold={eagerness}")  # the one of the tuning options changes nothing
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(made, passes)
    return bytes(machine.emit_object(made))


def _linked(code: bytes, exports: Sequence[str]) -> bytes:
    """The module that LLVM's linker makes of object code. Whatever is missing is an error: nothing is imported."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "kernels.o"), Path(folder, "kernels.wasm")
        source.write_bytes(code)
        flags = ["--no-entry", "--strip-all", "-O3", "--stack-first", "-z", "stack-size=262144"]
        names = [f"--export={name}" for name in [*exports, "__heap_base"]]
        command = [sys.executable, "-m", "ziglang", "wasm-ld", *flags, *names, "-o", str(target), str(source)]
        subprocess.run(command, check=True)
        return target.read_bytes()


def _section(about: Mapping[str, Any]) -> bytes:
    """A custom section of a wasm module, which may come at its end."""
    name, text = SECTION.encode(), json.dumps(about, sort_keys=True).encode()
    content = bytes([len(name)]) + name + text
    return b"\0" + _leb128(len(content)) + content


def _leb128(number: int) -> bytes:
    found = b""
    while number > 127:
        found, number = found + bytes([number & 127 | 128]), number >> 7
    return found + bytes([number])
