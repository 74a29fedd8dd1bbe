// A Python of its own, for perfect play: solving a game takes seconds, in which the tables of the other one go on.

import { load } from "./python.js";

const solving = load().then((python) => python.pyimport("strandline.site.solving"));

addEventListener("message", async ({ data }) => {
  try {
    postMessage({ answer: (await solving).answer(data) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
