// Run by Node: the Python of a site, from its own files, asks its bot of level 6.
// node guided.mjs SITE QUESTION

import process from "node:process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [site, question] = process.argv.slice(2);
const { PYTHON } = await import(pathToFileURL(`${site}/static/files.js`).href);
const { loadPyodide } = await import(pathToFileURL(`${site}/python/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${site}/python/`, stdLibURL: `${site}/${PYTHON.library}`, lockFileContents: PYTHON.lock, packageBaseUrl: `${site}/` });
const unpack = (name) => python.unpackArchive(new Uint8Array(readFileSync(`${site}/${name}`)), "zip", { extractDir: "/strandline" });
unpack(PYTHON.sources);
python.globals.set("unpack", unpack);
python.globals.set("question", question);
console.log(await python.runPythonAsync(`
import json, sys
sys.path.insert(0, "/strandline")
import strandline
from strandline.engine.wasm.host import host
from strandline.site.searching import BrowserThinkers, Guided

fetched = []

async def search(module, steps):
    memory = host().run(module)
    for step, *given in steps:
        getattr(memory, step)(*given)
    return memory.read

async def fetch(name):
    fetched.append(name)
    unpack(f"python/{name}.zip")

asked = json.loads(question)
game = strandline.game(asked["position"]["game"])
thinkers = BrowserThinkers(search, None, fetch, host())
chosen = await Guided(game, thinkers).chosen(game.position(asked["position"]), asked["seat"], asked["seed"])
json.dumps({"fetched": fetched, "chosen": chosen})
`));
