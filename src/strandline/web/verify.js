// Were the dice fair? The page itself derives every draw of a record again and compares the record with what it has kept.

import { canonical, fromHex, hashedLink, hmac, isHash, joined, sha256, toHex } from "./hash.js";
import { SHARED } from "./transport.js";
import { t } from "./words.js";

const FIELDS = ["format", "table", "game", "rules", "players", "options", "seats", "commitment", "moves", "by", "tickets", "secret", "dice", "seeds", "digest", "key", "signature"];
const HIDDEN = "?";
const ANCHOR_FIELDS = ["seats", "anchor", "commitment"];
const LINK_FIELDS = ["chain", "link", "epochs", "tap"];
const NO_LINKS = new Uint8Array(32);

const MOST_TICKETS = 2 ** 31;
/** How many a chain has. */
const LINKS = 512;

class Falsehood extends Error {}

const insist = (holds, sentence) => {
  if (!holds) throw new Falsehood(sentence);
};

/**
 * `kept`: what this browser has kept of the table. Gives a verdict ("passed", "failed" or "open"), whether there are
 * rolls that the page cannot vouch for, and sentences: what is proved, and what is not.
 */
export async function verify(record, kept) {
  const proved = [];
  let notes, signed;
  try {
    checkForm(record);
    notes = await replay(record, kept, proved);
    signed = await isSigned(record, kept);
    compare(record, kept, notes, proved);
  } catch (error) {
    return { verdict: "failed", doubts: false, proved, open: [], wrong: error instanceof Falsehood ? error.message : t("This is not a whole record.") };
  }
  const open = [t("Only the server says which ticket stands for what, and whose roll each was; “strandline verify” plays the whole record again by the rules.")];
  if (!record.seeds) open.unshift(t("The game is not over, so the seeds are still secret: the rolls can be checked at the end."));
  if (signed) proved.push(t("The server has signed the whole record with the key that this page knows."));
  if (record.key && !signed) open.unshift(t("This page cannot tell whether its server has signed the record, so only what it has kept vouches for this one."));
  if (!record.key) open.unshift(t("This browser cannot sign records, so only what it has kept vouches for this one."));
  const { redrawn, earlier, chosen, foreseeable, leftOut, idle, astray, elsewhere, overtaken, absences, replaced } = notes;
  const told = open.length;
  if (redrawn) open.unshift(t(["{n} undo went back over a roll or draw: whatever was drawn again was known before.", "{n} undos went back over a roll or draw: whatever was drawn again was known before."], { n: redrawn }));
  if (replaced) open.unshift(t("Some chains took the place of others, as after a change of device."));
  if (absences) open.unshift(t(["{n} time a bot began to play or roll for a person.", "{n} times a bot began to play or roll for a person."], { n: absences }));
  for (const n of passedOver(record, kept, notes)) open.unshift(t("This page had tapped after line {n}, and its link is not there: it got lost, or was left out.", { n }));
  const early = knownBefore(record, kept, notes);
  if (early) open.unshift(t(["{n} link that this page added without a tap did not come, or only with one: it got lost, or the server knew before what it would roll.", "{n} links that this page added without a tap did not come, or only with one: they got lost, or the server knew before what they would roll."], { n: early }));
  if (elsewhere) open.unshift(t(["{n} roll came with a chain of another device that plays for a seat of this page: if there is none, the server tapped in its place.", "{n} rolls came with chains of other devices that play for a seat of this page: if there are none, the server tapped in their place."], { n: elsewhere }));
  if (overtaken) open.unshift(t(["{n} tap of this page counted only after others had added links: the server and they together had several outcomes to choose from.", "{n} taps of this page counted only after others had added links: the server and they together had several outcomes to choose from."], { n: overtaken }));
  if (astray) open.unshift(t(["{n} move of this page did not come where it sent it: lost on the way, or the server asked for something else than it showed.", "{n} moves of this page did not come where it sent them: lost on the way, or the server asked for something else than it showed."], { n: astray }));
  if (idle) open.unshift(t(["{n} tap of this page came with a new chain, before its links counted: if the page did not change, the server made up another device to foresee that roll.", "{n} taps of this page came with new chains, before their links counted: if the page did not change, the server made up other devices to foresee those rolls."], { n: idle }));
  if (leftOut) open.unshift(t(["{n} roll or draw came before the links of this page counted: the server and the other players together could foresee it.", "{n} rolls and draws came before the links of this page counted: the server and the other players together could foresee them."], { n: leftOut }));
  if (foreseeable) open.unshift(t(["{n} roll or draw came while no page’s links counted: whoever knew the server’s seeds could foresee it.", "{n} rolls and draws came while no page’s links counted: whoever knew the server’s seeds could foresee them."], { n: foreseeable }));
  if (earlier) open.unshift(t(["{n} roll or draw had come before this page did: of that it can say nothing.", "{n} rolls and draws had come before this page did: of those it can say nothing."], { n: earlier }));
  if (chosen) open.unshift(t(["{n} roll or draw came before any page’s links counted: whoever ran the server could choose it.", "{n} rolls and draws came before any page’s links counted: whoever ran the server could choose them."], { n: chosen }));
  if (!kept.links.length) open.unshift(t("This browser added nothing to these dice, so it can only see that the record is consistent."));
  const isShared = !chosen || record.seats.every(({ kind }) => kind.startsWith("bot:"));
  return { verdict: record.seeds && isShared ? "passed" : "open", doubts: open.length > told, proved, open, wrong: null };
}

const isText = (text) => typeof text === "string" && [...text].length <= 200;

const isSignature = (text) => typeof text === "string" && /^[0-9a-f]{128}$/.test(text);

const isSeat = ({ seats }, seat) => Number.isSafeInteger(seat) && 0 <= seat && seat < seats.length;

const hasOnly = (thing, names) => Object.keys(thing).length === names.length && names.every((name) => Object.hasOwn(thing, name));

/** Everything is what it should be: one value written in two ways, or the chain of a seat that is not there, would pass for something else. */
function checkForm(record) {
  const { seats, moves, by, dice, seeds, commitment, tickets, secret, players } = record;
  const whole = (holds) => insist(holds, t("This is not a whole record."));
  whole(hasOnly(record, FIELDS) && players === seats.length && seats.every((seat) => hasOnly(seat, ["kind", "name"]) && [seat.kind, seat.name].every(isText)));
  whole(isHash(commitment) && (seeds === null || seeds.every(isHash)));
  whole((record.key === null || isHash(record.key)) && (record.signature === null || isSignature(record.signature)));
  whole(tickets.length === moves.length && tickets.every((each, i) => each === null || (by[i] === "chance" && each.length === 3)));
  whole(secret.every((line, i) => Number.isSafeInteger(line) && (secret[i - 1] ?? 0) < line && line <= moves.length));
  whole(by.length === moves.length && by.every((each) => each === "chance" || isSeat(record, each)) && moves.every(isText));
  for (const note of dice.filter(isAnchor)) {
    whole(note.seats.length && note.seats.every((seat) => isSeat(record, seat)) && (note.anchor === null || isHash(note.anchor)) && isHash(note.commitment));
    insist(!note.seats.some((seat) => seats[seat].kind.startsWith("bot:")), t("After line {n} a bot’s seat has a chain: it has no page.", { n: note.after }));
  }
  whole(dice.every((note) => hasOnly(note, ["after", ...(isAnchor(note) ? ANCHOR_FIELDS : LINK_FIELDS)])));
  whole(dice.every((note) => isAnchor(note) || (isHash(note.link) && Number.isSafeInteger(note.epochs) && typeof note.tap === "boolean")));
}

const digestAfter = (before, content) => sha256(joined(before, canonical(content)));

const isAnchor = (note) => "anchor" in note;

/** What is in the record's digest of a note. */
const contentOf = (note) => (isAnchor(note) ? ANCHOR_FIELDS : LINK_FIELDS).map((name) => [name, note[name]]);

/** Chains, order, digests and draws, from the first line to the last. */
async function replay(record, kept, proved) {
  const { dice, moves, by, secret, seeds, tickets } = record;
  const header = [record.table, record.game, record.rules, record.options, record.seats.map(({ kind }) => kind), record.commitment];
  let sum = digestAfter(sha256(new TextEncoder().encode(record.format)), header);
  let [length, draws, next] = [0, 0, 0];
  insist(kept.table === record.table, t("What this page has kept is about another table."));
  const ledger = new Ledger(record, kept);
  const standing = [0]; // for each position, how many draws lead to it
  const hidden = new Set(secret);
  const moved = []; // what this page has sent without a link since the last line
  const seen = () => {
    const number = standing.length - 1;
    insist((kept.digests[length] ?? toHex(sum)) === toHex(sum), t("Up to line {n} the record is not the one that this page has seen.", { n: number }));
    for (const sent of kept.links) if (sent.length === length) ledger.justify(sent, number);
    const sent = kept.bare.filter((each) => each.length === length).map(({ move }) => move);
    moved.push(...sent.filter((move) => move !== null));
    for (const move of standing[number] < ledger.keys.length ? [] : sent) {
      insist(move !== null, t("After line {n} this page was told that its roll comes out as before; it was a new one.", { n: number }));
      insist(by[number] !== "chance", t("After line {n} this page was shown a roll as a move.", { n: number }));
    }
  };
  const takeNotes = (number) => {
    for (; next < dice.length && dice[next].after === number; next += 1) {
      ledger.note(dice[next], length);
      sum = digestAfter(sum, contentOf(dice[next]));
      length += 1;
      seen();
    }
  };
  checkSeeds(record, proved);
  seen();
  for (const [i, text] of moves.entries()) {
    takeNotes(i);
    if (text === HIDDEN && !seeds) break; // what follows cannot be derived before the end
    insist(text !== HIDDEN, t("Line {n} is hidden, although the game is over.", { n: i + 1 }));
    const chance = by[i] === "chance";
    insist(!ledger.tap || (chance && standing[i] >= ledger.keys.length), t("The link after line {n} was a tap, but nothing new was drawn with it.", { n: i }));
    const { tap } = ledger;
    ledger.tap = 0;
    const undo = by[i] === "chance" ? null : /^undo (\d+)$/.exec(text);
    ledger.astray += moved.length - Number(!chance && moved.includes(text));
    moved.length = 0;
    if (by[i] === "chance") {
      const key = ledger.draw(standing[i], length, tap);
      if (seeds) checkDraw(record, i, key, standing[i], tickets[i]);
      draws += 1;
    }
    insist(!undo || Number(undo[1]) <= i, t("Line {n} takes back what was not played.", { n: i + 1 }));
    if (undo) ledger.redrawn += Number(standing[Number(undo[1])] < standing[i]);
    standing.push(undo ? standing[Number(undo[1])] : standing[i] + Number(by[i] === "chance"));
    ledger.line();
    sum = digestAfter(sum, [by[i], hidden.has(i + 1) ? HIDDEN : text]);
    length += 1;
    seen();
  }
  if (standing.length <= moves.length) return ledger;
  takeNotes(moves.length);
  const newest = Math.max(0, ...Object.keys(kept.digests).map(Number), ...[...kept.bare, ...kept.links].map((each) => each.length));
  insist(!ledger.tap, t("The link after line {n} was a tap, but nothing new was drawn with it.", { n: moves.length }));
  insist(newest <= length, t("The record is shorter than what this page has seen: its end is missing."));
  insist(next === dice.length && toHex(sum) === record.digest, t("The digest does not match: lines were changed, added, left out or reordered."));
  if (seeds) proved.push(t(["{n} roll or draw was derived again from the seeds and the links, and gives the ticket that the record names.", "All {n} rolls and draws were derived again from the seeds and the links, and all give the tickets that the record names."], { n: draws }));
  return ledger;
}

function checkSeeds({ seeds, commitment, dice }, proved) {
  if (!seeds) return;
  const due = [commitment, ...dice.filter(isAnchor).map((note) => note.commitment)];
  insist(due.length === seeds.length && seeds.every((seed, i) => hashedLink(seed) === due[i]), t("The seeds do not match what the server committed to."));
  proved.push(t("The server’s secret seeds match what it committed to before they were used."));
}

function checkDraw({ table, seeds }, i, { epoch, mix }, draw, tickets) {
  insist(tickets, t("Line {n} does not say which ticket was drawn.", { n: i + 1 }));
  const [first, count, size] = tickets;
  insist([first, count, size].every(Number.isSafeInteger) && 0 <= first && 0 < count && first + count <= size && size <= MOST_TICKETS, t("Line {n} does not say which ticket was drawn.", { n: i + 1 }));
  const found = ticket(fromHex(seeds[epoch]), table, draw, toHex(mix), size);
  insist(first <= found && found < first + count, t("Line {n} is not what the seeds and the links give.", { n: i + 1 }));
}

/** One of `size` equally likely tickets, as the server draws it. */
export function ticket(seed, table, draw, mix, size) {
  const range = 2n ** 256n;
  for (let attempt = 0; ; attempt += 1) {
    const value = BigInt(`0x${toHex(hmac(seed, canonical(["strandline dice 3", table, draw, mix, attempt])))}`);
    if (value < range - (range % BigInt(size))) return Number(value % BigInt(size));
  }
}

/** Who has committed to what, and from which seed and which links each draw comes. */
class Ledger {
  begun = []; // what each epoch but the first began with
  anchors = new Map();
  tips = new Map();
  revealed = new Map(); // how many links of each chain
  known = new Map();
  spoke = new Map();
  chains = new Map();
  keys = [];
  key = { epoch: 0, mix: NO_LINKS, parts: [] };
  waiting = new Map(); // the keys of the epochs that wait
  joined = 0; // the newest anchor's epoch if that was somebody's first
  tap = 0; // the chain of the tap if the last thing was one
  earlier = 0; // draws before this page came
  chosen = 0;
  foreseeable = 0;
  leftOut = 0;
  idle = 0; // taps of this page that changed nothing
  elsewhere = 0; // rolls of this page's seats with another device's chain
  overtaken = 0; // taps before which others added links
  added = []; // how long the record was when others did
  absences = 0;
  astray = 0; // moves of this page that did not come
  redrawn = 0; // undos that went back over draws
  epochsBefore = [1, 1]; // the line before last, and the last one

  constructor({ dice, by, moves }, { anchors, links, digests }) {
    const begun = dice.filter(isAnchor);
    this.by = by; // each line
    this.moves = moves;
    this.own = new Set(begun.flatMap(({ anchor }, i) => (anchors.includes(anchor) ? [i + 1] : [])));
    this.ownSeats = new Set(begun.filter(({ anchor }) => anchors.includes(anchor)).flatMap(({ seats }) => seats));
    this.sent = new Map(links.map((each) => [each.link, each]));
    this.came = Number(Object.keys(digests)[0] ?? 0); // how long the record was when this page came
  }

  get replaced() {
    return this.anchors.size > this.live().length;
  }

  get epochs() {
    return 1 + this.begun.length;
  }

  live() {
    return [...new Set(this.chains.values())];
  }

  line() {
    this.epochsBefore = [this.epochsBefore[1], this.epochs];
  }

  note(note, length) {
    insist(!this.tap, t("The link after line {n} was a tap, but nothing new was drawn with it.", { n: note.after }));
    if (!isAnchor(note)) this.reveal(note, length);
    else if (note.anchor === null) this.leave(note);
    else this.begin(note);
  }

  /** Whatever this page reveals, the record shows why it was asked for then, and what it knew. */
  justify({ link, epochs, numbers }, n) {
    const before = hashedLink(link);
    const chain = this.live().find((each) => this.own.has(each) && this.tips.get(each) === before);
    insist(chain !== undefined && epochs === this.epochs, t("After line {n} this page was asked for a link that does not fit the record.", { n }));
    insist(!this.tap, t("After line {n} this page was asked for a link that was not due.", { n })); // nobody sees a tap before its roll
    const [number] = numbers;
    const rolled = [undefined, "chance"].includes(this.by[n]) || this.moves[n].startsWith("undo "); // what comes next where a roll waits
    insist(number === null ? this.isDue(chain) : number === n ? rolled : number === n + 1, t("After line {n} this page was asked for a link that was not due.", { n }));
  }

  begin(note) {
    insist(![...this.anchors.values(), ...this.tips.values()].includes(note.anchor), t("The link after line {n} does not continue its chain.", { n: note.after }));
    const chain = this.epochs;
    this.checkReplaced(note);
    this.joined = note.seats.every((seat) => !this.chains.has(seat)) ? chain : 0;
    this.anchors.set(chain, note.anchor);
    this.tips.set(chain, note.anchor);
    this.known.set(chain, chain);
    this.spoke.set(chain, chain);
    for (const seat of note.seats) this.chains.set(seat, chain);
    this.wait(note);
  }

  /** This page begins a new chain when it cannot go on with the last one, and not because it is told to. */
  checkReplaced({ after, seats }) {
    const before = seats.map((seat) => this.chains.get(seat));
    if (!this.own.has(this.epochs) || new Set(before).size > 1 || !this.own.has(before[0])) return;
    const sent = [...this.sent.values()].find(({ link }) => hashedLink(link) === this.tips.get(before[0]));
    const stuck = sent && !this.key.epoch && sent.epochs <= this.known.get(before[0]); // all wait, nobody can tap, and the link of a tap that got lost is no news
    const goesOn = sent ? sent.epochs >= this.epochsBefore[1] : (this.revealed.get(before[0]) ?? 0) < LINKS;
    insist(!goesOn || stuck, t("After line {n} this page was made to begin a new chain without need.", { n: after }));
  }

  leave(note) {
    const awaited = this.awaited(this.epochs);
    insist(note.seats.every((seat) => awaited.has(seat)), t("After line {n} somebody is called absent for whom nobody waited.", { n: note.after }));
    this.absences += 1;
    this.wait(note);
  }

  wait(note) {
    this.waiting.set(this.epochs, { epoch: this.epochs, mix: NO_LINKS, parts: [] });
    this.begun.push(note);
  }

  /** The chain of each seat whose links are waited for, to whoever knows that many epochs. */
  awaited(epochs, spoke = this.spoke) {
    const found = new Map();
    for (const [i, { seats, anchor }] of this.begun.slice(0, epochs - 1).entries()) {
      for (const seat of seats) {
        if (anchor !== null) found.set(seat, i + 1);
        else if (spoke.get(found.get(seat)) <= i + 1) found.delete(seat);
      }
    }
    return found;
  }

  isDue(chain) {
    const known = this.known.get(chain);
    if (this.key.epoch) return this.key.epoch < this.joined && known <= this.joined && !this.keys.length;
    return known <= Math.max(...this.anchors.keys()) || (known < this.epochs && this.ready(chain, this.epochs).length > 0);
  }

  /** The epochs that need not wait any longer after a link of that chain, whose page knew so many. */
  ready(chain, epochs) {
    const [known, spoke] = [this.known, this.spoke].map((each) => new Map(each));
    known.set(chain, epochs);
    spoke.set(chain, this.epochs);
    const awaited = [...this.awaited(epochs, spoke).values()];
    return [...this.waiting.keys()].filter((epoch) => chain <= epoch && epoch < epochs && awaited.every((each) => each > epoch || known.get(each) > epoch));
  }

  reveal({ after, chain, link, epochs, tap }, length) {
    const wrong = t("The link after line {n} does not continue its chain.", { n: after });
    insist(this.live().includes(chain) && hashedLink(link) === this.tips.get(chain), wrong);
    insist(Math.max(chain, this.known.get(chain) - Number(tap)) < epochs && epochs <= this.epochs && (tap || this.isDue(chain)), wrong);
    const withMove = this.chains.get(this.by[after - 1]) === chain; // sent before that move's line
    insist(!tap || epochs >= this.epochsBefore[withMove ? 0 : 1], t("The link after line {n} knows less than its page had seen.", { n: after }));
    this.revealed.set(chain, (this.revealed.get(chain) ?? 0) + 1);
    const ready = this.ready(chain, epochs);
    this.tips.set(chain, link);
    this.known.set(chain, epochs);
    this.spoke.set(chain, this.epochs);
    this.tap = tap ? chain : 0;
    if (!tap && !this.own.has(chain)) this.added.push(length);
    else if (tap && this.own.has(chain)) this.overtaken += Number(this.added.some((each) => each >= this.sent.get(link)?.length));
    else if (tap) this.elsewhere += Number(this.isThere(length) && this.begun[chain - 1].seats.some((seat) => this.ownSeats.has(seat)));
    const grown = ({ epoch, mix, parts }) => ({ epoch, mix: mixed(mix, link), parts: [...parts, chain] });
    if (chain <= this.key.epoch) this.key = grown(this.key);
    const counted = [...this.waiting.keys()].filter((epoch) => chain <= epoch && epoch < epochs);
    for (const epoch of counted) this.waiting.set(epoch, grown(this.waiting.get(epoch)));
    if (!ready.length) return;
    const epoch = Math.max(...ready);
    this.key = this.waiting.get(epoch);
    for (const each of [...this.waiting.keys()]) if (each <= epoch) this.waiting.delete(each);
  }

  /** Whether this page has begun a chain. */
  hasBegun() {
    return [...this.own].some((chain) => chain < this.epochs);
  }

  /** Whether this page has come, as far as it has kept that. */
  isThere(length) {
    return this.hasBegun() || (this.own.size > 0 && length >= this.came);
  }

  /** The key of a draw: as at the first time, if it was made before and taken back. */
  draw(number, length, tap) {
    if (number < this.keys.length) return this.keys[number];
    const { parts } = this.key;
    const own = this.hasBegun() ? [...this.own] : [...this.ownSeats].map((seat) => this.chains.get(seat)); // until then of other devices
    const counted = own.some((chain) => parts.includes(chain));
    this.earlier += Number(this.own.size > 0 && !this.isThere(length));
    if (!this.key.epoch) this.chosen += 1;
    else this.foreseeable += Number(!this.live().some((chain) => parts.includes(chain)));
    this.leftOut += Number(this.isThere(length) && !counted);
    this.idle += Number(counted && this.own.has(tap) && !parts.includes(tap));
    this.keys.push(this.key);
    return this.key;
  }
}

const mixed = (mix, link) => sha256(joined(mix, fromHex(link)));

/** Whether the record is signed with the key that this page knows, as far as the browser can tell. */
async function isSigned(record, kept) {
  if (!SHARED && !kept.key && !record.key) return false; // a site in a browser that cannot sign
  insist(record.key && record.signature, t("The record is not signed."));
  insist(!kept.key || kept.key === record.key, t("The record is signed with a different key from the one that this page knows."));
  if (!globalThis.crypto?.subtle) return false; // a page without https cannot
  const { signature, ...rest } = record;
  let key;
  try {
    key = await crypto.subtle.importKey("raw", fromHex(record.key), "Ed25519", false, ["verify"]);
  } catch {
    return false; // an older browser
  }
  insist(await crypto.subtle.verify("Ed25519", key, fromHex(signature), canonical(rest)), t("The signature does not match: something was changed after it was signed."));
  return Boolean(kept.key);
}

/** What this page has sent and seen must be in the record. */
function compare(record, kept, ledger, proved) {
  const { dice } = record;
  const { own, sent } = ledger;
  insist(kept.anchors.every((anchor) => dice.some((note) => note.anchor === anchor)), t("This page committed to a chain that the record does not have."));
  const commitments = [record.commitment, ...dice.filter(isAnchor).map((note) => note.commitment)];
  insist(kept.commitments.every((commitment, i) => commitment === commitments[i]), t("The server’s commitments are not those that this page has seen."));
  const found = dice.filter((note) => !isAnchor(note) && own.has(note.chain));
  for (const { after, link, epochs, tap } of found) {
    const known = sent.get(link);
    insist(known, t("After line {n} there is a link that this page never sent.", { n: after }));
    insist(known.epochs === epochs && known.numbers.includes(tap ? after : null), t("The link after line {n} is not where this page sent it.", { n: after }));
  }
  insist(kept.links.length - found.length <= kept.anchors.length, t("Links that this page has sent are not in the record."));
  if (found.length) proved.push(t(["The {n} link that this page added is in the record, in its place, and so is all that the page has seen.", "The {n} links that this page added are in the record, in their places, and so is all that the page has seen."], { n: found.length }));
}

/** The lines after which this page had tapped, and yet what came next was drawn without its link. Taps can get lost on the way. */
function passedOver({ dice, by }, kept, { own }) {
  const notes = dice.filter((note) => !isAnchor(note) && own.has(note.chain));
  const taps = new Set(notes.filter(({ tap }) => tap).map(({ after }) => after));
  const tapped = new Set(notes.filter(({ tap }) => tap).map(({ link }) => link));
  const numbers = new Set(kept.links.flatMap((each) => each.numbers.filter((number) => number !== null && !(taps.has(number) && tapped.has(each.link)))));
  return [...numbers].filter((number) => number < by.length).sort((one, other) => one - other);
}

/** How many links this page added because they were due, which did not come, or only with a tap. */
function knownBefore({ dice }, kept, { own }) {
  const added = new Set(dice.filter((note) => note.tap === false && own.has(note.chain)).map(({ link }) => link));
  return kept.links.filter(({ link, numbers }) => numbers[0] === null && !added.has(link)).length;
}
