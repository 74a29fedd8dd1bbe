// A worker that searches: a module of kernels, a memory of its own, and steps to work through. It knows no game.

const PAGE = 1 << 16;

addEventListener("message", ({ data: { module, steps } }) => {
  const { exports } = new WebAssembly.Instance(module);
  const memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  for (const [step, ...given] of steps) {
    if (step === "grow") memory.grow(Math.max(0, Math.ceil((given[0] - memory.buffer.byteLength) / PAGE)));
    else if (step === "write") new Uint8Array(memory.buffer).set(given[1], given[0]);
    else if (step === "call") /** @type {any} */ (exports[given[0]])(given[1]);
  }
  const copy = memory.buffer.slice(0);
  postMessage(copy, { transfer: [copy] });
});
