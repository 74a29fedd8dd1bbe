// Installs the service worker, and says when a new version of the site is there.

import { button, make } from "./common.js";
import { t } from "./words.js";

const ROOT = new URL("..", import.meta.url);

async function install() {
  const registration = await navigator.serviceWorker.register(new URL("sw.js", ROOT), { scope: ROOT.pathname });
  const offer = () => registration.waiting && navigator.serviceWorker.controller && announce(registration.waiting);
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
  offer();
}

function announce(waiting) {
  if (document.getElementById("update")) return;
  const use = button(t("Update"), () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    waiting.postMessage("take over");
  }, { class: "main small" });
  const later = button(t("Later"), () => box.remove(), { class: "plain small" });
  const box = make("div", { id: "update", class: "note shown asking", role: "status" }, t("There is a new version of Strandline."), " ", use, " ", later);
  document.body.append(box);
}

if ("serviceWorker" in navigator) install().catch((error) => console.warn(error.message)); // a private window may forbid it
