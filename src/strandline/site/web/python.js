// Python in a worker, with our packages: for tables, and for perfect play.

// @ts-expect-error  put there when the site is built
import { loadPyodide } from "../python/pyodide.mjs";
// @ts-expect-error  written when the site is built
import { PYTHON } from "./files.js";

const ROOT = new URL("..", import.meta.url);

async function archive(name) {
  const answer = await fetch(new URL(name, ROOT));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

const put = (python, files) => python.unpackArchive(files, "zip", { extractDir: "/strandline" });

/** Fetch an archive of files of our packages, and put them in their places. */
export const unpack = async (python, name) => put(python, await archive(name));

export async function load() {
  const sources = archive(PYTHON.sources);
  const python = await loadPyodide({
    indexURL: new URL("python/", ROOT).href,
    stdLibURL: new URL(PYTHON.library, ROOT).href,
    lockFileContents: PYTHON.lock,
    packageBaseUrl: ROOT.href,
  });
  put(python, await sources);
  python.runPython("import sys; sys.path.insert(0, '/strandline')");
  return python;
}
