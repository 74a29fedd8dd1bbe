// Run by Node when the site is built: Python's library and our own sources, compiled by the very Python that will run them.
// node compile.mjs PYODIDE SOURCES.zip OUT_SOURCES.zip OUT_LIBRARY.zip LEFT_OUT
// A library that is there already is left as it is.

import process from "node:process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, sources, outSources, outLibrary, leftOut] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide();
python.FS.writeFile("/sources.zip", readFileSync(sources));
python.runPython(`
import importlib._bootstrap_external as bootstrap
import importlib.util
import zipfile
from pathlib import PurePosixPath
from types import CodeType

DATE = (2020, 1, 1, 0, 0, 0)
STRIPPED = 2  # without asserts and docstrings

def without_lines(code):
    inner = tuple(without_lines(const) if isinstance(const, CodeType) else const for const in code.co_consts)
    return code.replace(co_consts=inner, co_linetable=b"")

def compiled(source, name, optimize, lines=True):
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    code = code if lines else without_lines(code)
    return bootstrap._code_to_hash_pyc(code, importlib.util.source_hash(source), False)

def write(out, name, data):
    out.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED, 9)

with zipfile.ZipFile("/sources.zip") as given, zipfile.ZipFile("/out_sources.zip", "w") as out:
    for name in given.namelist():
        data = given.read(name)
        if name.endswith(".py"):
            data, name = compiled(data, f"/strandline/{name}", 0), name + "c"
        write(out, name, data)
`);
writeFileSync(outSources, python.FS.readFile("/out_sources.zip"));
if (!existsSync(outLibrary)) {
  python.FS.writeFile("/library.zip", readFileSync(`${pyodide}/python_stdlib.zip`));
  python.globals.set("left_out", leftOut);
  python.runPython(`
dropped = set(left_out.split(","))
with zipfile.ZipFile("/library.zip") as given, zipfile.ZipFile("/out_library.zip", "w") as out:
    for name in given.namelist():
        parts = PurePosixPath(name).with_suffix("").parts
        if name.endswith("/") or any("/".join(parts[:n]) in dropped for n in (1, 2)):
            continue
        data = given.read(name)
        if name.endswith(".py"):
            own = parts[0] in ("_pyodide", "pyodide")  # which read their own docstrings
            data, name = compiled(data, f"/lib/python/{name}", 0 if own else STRIPPED, lines=False), name + "c"
        write(out, name, data)
`);
  writeFileSync(`${outSources}.library`, python.FS.readFile("/out_library.zip"));
  renameSync(`${outSources}.library`, outLibrary); // whole or not at all
}
