"""Games as WebAssembly modules, made once when the project is built and shipped with it: see `host`."""

from strandline.engine.wasm.host import Instance, Kernels, fitting, of

__all__ = ["Instance", "Kernels", "fitting", "of"]
