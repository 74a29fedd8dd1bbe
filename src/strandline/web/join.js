// Coming to a table and letting others come: invitations, codes to type, QR codes, the local network.

import { ask, button, byId, choice, copyButton, dialog, keep, make, note, readSvg, recall, remember, seatMark, setLooks, tables } from "./common.js";
import { address } from "./transport.js";
import { t } from "./words.js";

const INVITED = "invite=";
const CODED = "code=";
/** The close code of a key that is unknown at the table. */
const NO_SEAT = 4401;

/** What this browser kept of a table. */
const known = (table) => tables().find(({ id }) => id === table);
/** What comes before the path of every page here. */
const HERE = address("/").slice(0, -1);
const keptKey = (table) => known(table)?.page?.split("#")[1] ?? null;

/** The key that this device sits at the table with, null for a spectator. Whoever is invited is asked to sit down first. */
export async function seated(table) {
  const said = location.hash.slice(1);
  if (said.startsWith(INVITED)) return sitDown(table, { invitation: said.slice(INVITED.length) });
  if (said.startsWith(CODED)) return sitDown(table, { code: said.slice(CODED.length) });
  return said || keptKey(table);
}

/** A key that holds no seat any more is not tried again: the next visit is a spectator's, or begins with an invitation. */
export function forgetKey(table, code) {
  if (code === NO_SEAT && known(table)) remember({ id: table, page: `/table/${table}` });
}

async function sitDown(table, asked) {
  try {
    const found = await ask(`/api/tables/${table}/invitation`, { body: asked });
    if (found.seats.length) return settle(await askToSit(table, asked, found));
    const key = keptKey(table); // whoever comes by their invitation again has their seat already
    if (!key) await said(asked.code ? t("All seats at this table are taken.") : t("This invitation has been used or taken back. Ask for a new one."));
    return settle(key);
  } catch (error) {
    await said(error.message);
    return settle(keptKey(table));
  }
}

/** From here on the address is the seat's own, or a spectator's. */
function settle(key) {
  history.replaceState(null, "", location.pathname + location.search + (key ? `#${key}` : ""));
  return key;
}

const said = (sentence) => new Promise((done) => {
  dialog(t("You can watch this table"), make("p", { role: "alert" }, sentence), { out: t("Watch"), onClose: () => done(undefined) });
});

function askToSit(table, asked, { title, names, seats, own, looks }) {
  setLooks(looks);
  return new Promise((done) => {
    let seat = seats[0];
    let key = null;
    const name = make("input", { maxlength: 24, value: recall("name", ""), autocomplete: "nickname", name: "name", id: "your-name" });
    const form = make("form", { class: "sit-down" },
      own ? make("p", {}, t("This device will play for {names} as well.", { names: seats.map((each) => names[each]).join(", ") })) : null,
      !own && seats.length > 1 ? choice(t("Your seat"), "seat", Object.fromEntries(seats.map((each) => [each, names[each]])), seat, (value) => (seat = Number(value))) : null,
      !own && seats.length === 1 ? make("p", { class: "row" }, seatMark(seat), t("Your seat: {name}", { name: names[seat] })) : null,
      own ? null : make("label", { for: name.id }, t("Your name")), own ? null : name);
    const sit = button(own ? t("Use this device") : t("Sit down"), () => form.requestSubmit(), { class: "main" });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      sit.disabled = true;
      try {
        const called = own ? "" : name.value.trim();
        key = await claim(table, asked, called, asked.code ? seat : null);
        if (called) keep("name", called);
        box.close();
      } catch (error) {
        sit.disabled = false;
        form.querySelector(".bad")?.remove();
        form.prepend(make("p", { class: "bad", role: "alert" }, error.message));
      }
    });
    const box = dialog(t("Join the table: {title}", { title }), form, { buttons: [sit], out: t("Just watch"), onClose: () => done(key) });
    (own ? sit : name).focus();
  });
}

/** Sit down. The key is kept before it is sent: if the answer is lost, asking again with it gives the same seat. */
export async function claim(table, asked, name, seat = null) {
  const begun = recall("claim", {});
  const key = keptKey(table) ?? (begun.table === table ? begun.key : newKey());
  keep("claim", { table, key });
  await ask(`/api/tables/${table}/claim`, { body: { ...asked, key, name: name || null, seat } });
  remember({ id: table, page: `/table/${table}#${key}`, made: known(table)?.made ?? Date.now() });
  return key;
}

const newKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)))).replaceAll("+", "-").replaceAll("/", "_");

// Letting others come

const isOwnMachine = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** Where others find this server: at the address of this page, or, at the machine itself, at its address on the local network. */
async function lan(open = false) {
  if (!isOwnMachine()) return { open: true, can_open: false, addresses: [HERE] };
  return open ? ask("/api/lan/open", { body: {} }) : ask("/api/lan");
}

/** A link to be sent to others, and how to show it: with a warning as long as only this machine can open it. */
export async function linkForOthers(path, label, what) {
  const where = (await lan().catch(() => null))?.addresses[0];
  const link = (where ?? HERE) + path;
  const warning = make("p", {}, make("small", {}, t("So far only this machine can open this link. “Let others join” in the lobby opens the tables to your local network.")));
  return { link, shown: [shared(label, link, what), ...(where ? [] : [warning])] };
}

/** Invitations of free seats, shown beside the seats as long as there are any. */
export function showInvitations(state, links, act) {
  const free = state.host ? state.seats.filter(({ claimed }) => !claimed) : [];
  noteSeated(state);
  const frame = byId("invite");
  const shown = JSON.stringify(free.map(({ seat, name, invited }) => [seat, name, invited]).concat(links.map(({ link }) => link)));
  if (frame.dataset.shown === shown) return;
  frame.dataset.shown = shown;
  const sendable = isOwnMachine() ? [] : [
    make("p", {}, t("Send each friend an invitation. Each opens one seat and works once.")),
    ...free.map((seat) => link(seat, links)).filter(Boolean)];
  frame.replaceChildren(...(free.length ? [
    ...(sendable.length ? sendable : [make("p", {}, t("Some seats are free. Invitations, QR codes and a code to type are here:"))]),
    button(t("Let others join"), () => letOthersJoin(state.table, free, act), { class: "main" }),
  ] : []));
}

/** In the open dialog a seat that somebody has taken needs no invitation any more. */
function noteSeated({ seats }) {
  for (const place of document.querySelectorAll("dialog .place")) {
    const seat = seats.find((each) => each.claimed && place.getAttribute("data-seat") === String(each.seat));
    if (seat) place.replaceChildren(make("p", { class: "row", role: "status" }, seatMark(seat.seat), t("{name} has sat down.", { name: seat.name })));
  }
}

function link({ seat, name, invited }, links) {
  const path = invited && links.find((each) => each.seat === seat)?.link;
  return path ? shared(name, HERE + path, t("the invitation for {name}", { name }), seat) : null;
}

const shared = (label, whole, what, seat = null) =>
  make("div", { class: "share" }, seat === null ? null : seatMark(seat), make("label", {}, make("span", {}, label), make("input", { readonly: true, value: whole })), copyButton(whole, what));

/** Links for phones in the same room, QR codes, and a code to type. */
async function letOthersJoin(table, free, act) {
  const frame = make("div", { class: "join" }, make("p", { role: "status" }, t("A moment …")));
  dialog(t("Let others join"), frame, { wide: true });
  const place = async (seat, where) => {
    const path = seat.invited && known(table)?.links?.find((each) => each.seat === seat.seat)?.link;
    const box = make("section", { class: "place", "aria-label": seat.name, data: { seat: seat.seat } });
    const again = button(path ? t("New invitation") : t("Invite"), async () => {
      const answer = await act.send({ type: "invite", seat: seat.seat });
      if (answer?.type !== "invitation") return;
      keepLink(table, { seat: seat.seat, link: answer.link, name: seat.name });
      box.replaceWith(await place({ ...seat, invited: true }, where));
    }, { class: "plain small", "aria-label": t("New invitation for {name}", { name: seat.name }) });
    const back = path && button(t("Take back"), async () => {
      const answer = await act.send({ type: "withdraw", seat: seat.seat });
      if (answer?.type === "state") box.replaceWith(await place({ ...seat, invited: false }, where));
    }, { class: "plain small", "aria-label": t("Take back the invitation for {name}", { name: seat.name }) });
    const whole = path ? (where ?? HERE) + path : null;
    box.append(...[
      whole ? shared(seat.name, whole, t("the invitation for {name}", { name: seat.name }), seat.seat) : make("p", { class: "row" }, seatMark(seat.seat), seat.name),
      whole && where ? await qr(whole, t("QR code of the invitation for {name}", { name: seat.name })) : null,
      make("div", { class: "row" }, again, back || null)].filter(Boolean));
    return box;
  };
  const typedCode = () => {
    const said = make("output", { class: "code", "aria-live": "polite" });
    return make("section", { class: "typed" }, make("p", {}, t("Or give them a code to type in the lobby. It opens any free seat and works for half an hour.")),
      make("div", { class: "row" }, button(t("Show a code"), async () => {
        const answer = await act.send({ type: "code" });
        if (answer?.type === "code") said.textContent = answer.code;
      }, { class: "plain" }), said));
  };
  await behindTheDoor(frame, async (where) => [
    ...(where ? [whereToFind(where)] : []),
    ...(await Promise.all(free.map((seat) => place(seat, where)))),
    typedCode(),
  ]);
}

/** Say who reaches this server, with a way to let others in where there is one, and below it what `content(address)` gives. */
async function behindTheDoor(frame, content, open = false) {
  try {
    const found = await lan(open);
    const where = found.addresses[0] ?? null;
    frame.replaceChildren(...(where ? [] : [closedDoor(found, () => behindTheDoor(frame, content, true))]), ...(await content(where)));
  } catch (error) {
    frame.replaceChildren(make("p", { class: "bad", role: "alert" }, error.message));
  }
}

/** The link of a seat's newest invitation; only this browser knows it. */
export function keepLink(table, link) {
  const others = (known(table)?.links ?? []).filter(({ seat }) => seat !== link.seat);
  remember({ id: table, links: [...others, link] });
}

const whereToFind = (where) => make("p", {}, t("Others open this address, or an invitation below:"), " ", make("strong", { class: "address" }, where));

function closedDoor({ can_open }, open) {
  if (!can_open) return make("p", {}, t("This server can be reached from this machine only. Whoever started it can change that."));
  return make("section", { class: "door" },
    make("p", {}, t("So far only this machine can reach the tables. Open them to your local network? Then every device on it (on your Wi-Fi, say) can see this lobby, make tables, and watch those whose links it knows. It lasts until Strandline is stopped.")),
    button(t("Open to the local network"), open, { class: "main" }));
}

/** A QR code, and what it is for. */
async function qr(text, label) {
  const drawn = readSvg(await ask("/api/qr", { body: { text } }));
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", label);
  drawn.classList.add("qr");
  return drawn;
}

// One's own devices

/** A QR code that hands one's own seat on to another device. */
export async function useAnotherDevice(seat, act) {
  const answer = await act.send({ type: "invite", seat: seat.seat });
  if (answer?.type !== "invitation") return;
  const frame = make("div", { class: "join" });
  const release = seat.devices > 1 && button(t("Disconnect my other devices"), async () => {
    if ((await act.send({ type: "release", seat: seat.seat }))?.type !== "state") return;
    box.close();
    note(t("Only this device holds your seat now."));
  }, { class: "plain" });
  const box = dialog(t("Play on another device"), frame, { buttons: release ? [release] : [] });
  await behindTheDoor(frame, async (where) => {
    const whole = (where ?? HERE) + answer.link;
    return [
      make("p", {}, t("Open this on your other device. It works once; after that both devices can play.")),
      shared(seat.name, whole, t("the link for my other device")),
      ...(where ? [await qr(whole, t("QR code of the link for my other device"))] : []),
    ];
  });
}

// At the lobby

/** At the machine itself: let others on the local network come to the lobby. */
export function letOthersInButton() {
  if (!isOwnMachine()) return null;
  return button(t("Let others join"), async () => {
    const frame = make("div", { class: "join" }, make("p", { role: "status" }, t("A moment …")));
    dialog(t("Let others join"), frame);
    await behindTheDoor(frame, async (where) => (where ? [
      make("p", {}, t("Others open this address. There they start a game, or type the code of a table:"), " ", make("strong", { class: "address" }, where)),
      await qr(where, t("QR code of the lobby’s address")),
    ] : []));
  }, { class: "plain" });
}

/** The form for a code, at the lobby. */
export function codeForm() {
  const field = make("input", { name: "code", maxlength: 24, placeholder: "KELP-385", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", id: "code", required: true, "aria-describedby": "wrong-code" });
  const wrong = make("p", { class: "bad", role: "alert", id: "wrong-code" });
  const form = make("form", { class: "row code-form" }, make("label", { for: field.id }, t("Join with a code")), field, make("button", { class: "plain" }, t("Join")), wrong);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    try {
      location.href = address((await ask("/api/codes", { body: { code: field.value } })).page);
    } catch (error) {
      wrong.textContent = error.message;
      field.select();
    }
  });
  return form;
}
