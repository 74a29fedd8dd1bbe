"""Pyodide's `js`, with the objects in Node: what a browser's WebAssembly does, without a browser."""

import base64
import json
import subprocess
from types import TracebackType
from typing import Any

SCRIPT = """
const things = [globalThis, WebAssembly];
const take = (value) => value === null || typeof value !== "object" ? value
    : "ref" in value ? things[value.ref] : Buffer.from(value.bytes, "base64");
function give(value, owner) {
    if (value === null || value === undefined || typeof value === "number") return value ?? null;
    if (Buffer.isBuffer(value)) return {bytes: value.toString("base64")};
    const isMethod = typeof value === "function" && owner !== globalThis && owner !== WebAssembly;
    return {ref: things.push(isMethod ? value.bind(owner) : value) - 1};
}
const deeds = {
    get: (on, name) => give(on[name], on),
    new: (on, ...values) => give(new on(...values)),
    call: (on, ...values) => give(on(...values)),
    assign: (on, data) => give(on.set(data)),
    to_bytes: (on) => give(Buffer.from(on)),
};
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
    const [deed, ...values] = JSON.parse(line);
    console.log(JSON.stringify(deeds[deed](...values.map(take))));
});
"""


class Thing:
    """An object in Node."""

    def __init__(self, node: "Node", ref: int) -> None:
        self._node, self._ref = node, ref

    def __getattr__(self, name: str) -> Any:
        if name in ("new", "assign", "to_bytes"):
            return lambda *values: self._node.ask(name, self, *values)
        return self._node.ask("get", self, name)

    def __call__(self, *values: Any) -> Any:
        return self._node.ask("call", self, *values)


class Node:
    """A process of Node; `js` are its global names."""

    def __enter__(self) -> Thing:
        self._process = subprocess.Popen(
            ["node", "-e", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return Thing(self, 0)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def ask(self, deed: str, *values: Any) -> Any:
        """Have something done in Node, and its result."""
        assert self._process.stdin and self._process.stdout
        print(json.dumps([deed, *map(_sent, values)]), file=self._process.stdin, flush=True)
        found = json.loads(self._process.stdout.readline())
        if not isinstance(found, dict):
            return found
        return Thing(self, found["ref"]) if "ref" in found else base64.b64decode(found["bytes"])


def _sent(value: Any) -> Any:
    if isinstance(value, Thing):
        return {"ref": value._ref}
    return {"bytes": base64.b64encode(value).decode()} if isinstance(value, bytes) else value
