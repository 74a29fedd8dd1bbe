// Python in a worker, with our packages: for tables, and for perfect play.

// @ts-expect-error  put there when the site is built
import { loadPyodide } from "../python/pyodide.mjs";
// @ts-expect-error  written when the site is built
import { PYTHON } from "./files.js";

const ROOT = new URL("..", import.meta.url);

export async function load() {
  const sources = fetch(new URL(PYTHON.sources, ROOT)).then((answer) => answer.arrayBuffer());
  const python = await loadPyodide({
    indexURL: new URL("python/", ROOT).href,
    stdLibURL: new URL(PYTHON.library, ROOT).href,
    lockFileContents: PYTHON.lock,
    packageBaseUrl: ROOT.href,
  });
  python.unpackArchive(await sources, "zip", { extractDir: "/strandline" });
  python.runPython("import sys; sys.path.insert(0, '/strandline')");
  return python;
}
