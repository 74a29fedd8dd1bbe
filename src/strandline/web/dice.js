// This page's part in the dice: a hash chain, of which each tap reveals a link, and what is kept to check the rolls.

import { ask, keep, recall, tables } from "./common.js";
import { fromHex, hashedLink, isHash, sha256, toHex } from "./hash.js";

/** How many rolls a chain is good for. */
const LINKS = 512;
/** A game has no more. */
const MOST_LINES = 100_000;
const LONGEST_MOVE = 200;
/** Digests that are kept of a table, the newest. */
const MOST_DIGESTS = 1000;
const FORMAT = "strandline kept 3";
const FORMAT_BEFORE = "strandline kept 2";
const FIRST_PAUSE_MS = 2000;

/** What is kept when nothing is. `chains` has the secrets, which never leave this browser; those in use have come to the server. */
const NOTHING = { format: FORMAT, chains: [], links: [], bare: [], commitments: [], digests: {} };

const isNumber = (value, most) => Number.isSafeInteger(value) && 0 <= value && value <= most;

const isMove = (text) => typeof text === "string" && text.length <= LONGEST_MOVE;

const place = (table) => `dice.${table}`;

/** The key that the server signs with is believed when it is first seen. */
export async function pinKey() {
  if (recall("key", null) !== null) return;
  try {
    const { key } = await ask("/api/key");
    if (isHash(key)) keep("key", key);
  } catch {
    // Without it the record's own key is the first one seen.
  }
}

/** All links of a chain, by the one before each: the anchor comes before the first. */
function linksOf({ secret, anchor }) {
  const after = new Map();
  for (let link = secret, i = 0; i < LINKS; i += 1) {
    const before = toHex(sha256(fromHex(link)));
    after.set(before, link);
    link = before;
  }
  return after.has(anchor) ? after : new Map();
}

function newChain() {
  const secret = toHex(crypto.getRandomValues(new Uint8Array(32)));
  let anchor = secret;
  for (let i = 0; i < LINKS; i += 1) anchor = hashedLink(anchor);
  return { secret, anchor };
}

export class Dice {
  /** `send(message)` gives the answer, or null. */
  constructor(table, send) {
    this.table = table;
    this.send = send;
    this.after = new Map(); // for each anchor of ours, its links
    this.state = null;
    this.memory = NOTHING;
    this.stored = true; // until storage is full, or where nothing can be stored
    this.busy = false;
    this.taking = Promise.resolve();
    this.pause = 0;
    this.stepping = 0;
    forgetOthers(table);
  }

  get kept() {
    const found = this.stored ? recall(place(this.table), this.memory) : this.memory;
    return found.format === FORMAT ? found : found.format === FORMAT_BEFORE ? brought(found) : NOTHING;
  }

  /**
   * Once storage is full this page goes on as another device would, with chains and notes of its own: what was stored
   * stays as it is, and whoever loads the page again must not have forgotten what a chain of theirs has revealed.
   */
  change(changes) {
    const before = this.kept;
    this.memory = { ...before, ...changes };
    if (!this.stored) return;
    this.stored = keep(place(this.table), this.memory);
    if (this.stored) return;
    const { chains, bare, digests } = this.memory;
    const own = chains.filter(({ anchor }) => !before.chains.some((each) => each.anchor === anchor));
    this.memory = { ...this.memory, chains: own, links: [], bare: bare.slice(before.bare.length), digests: Object.fromEntries(Object.entries(digests).slice(-1)) };
  }

  /** What this browser has kept of the table, without its secrets. */
  keepsake() {
    const { chains, ...others } = this.kept;
    const anchors = chains.filter(({ used }) => used).map(({ anchor }) => anchor);
    return { ...others, table: this.table, key: recall("key", null), anchors };
  }

  /** A state has come: keep what it commits to, and do what the page does without being asked. */
  async observe(state) {
    if (!this.follows(state.dice)) return;
    this.state = state; // links are revealed for such a state alone: of it is kept what the page knew
    const { commitments, length, digest } = state.dice;
    const digests = Object.entries({ [length]: digest, ...this.kept.digests }).slice(-MOST_DIGESTS); // what was seen first stays
    const known = this.kept.commitments;
    this.change({ digests: Object.fromEntries(digests), commitments: commitments.length > known.length ? [...known, ...commitments.slice(known.length)] : known });
    this.markUsed(state.dice.anchor);
    if (!state.chance || this.busy || !state.you.length || state.turn === "over") return;
    this.busy = true;
    this.taking = this.takePart(state);
    await this.taking;
    this.busy = false;
    if (this.state !== state) await this.observe(this.state);
  }

  /**
   * Whether the record has not become shorter, nor another of the same length: whoever asks by an old state asks twice.
   * What cannot be kept, or not be read later, does not follow either: afterwards nothing would show that it was said.
   */
  follows({ length, digest, commitments }) {
    const { digests } = this.kept;
    const newest = Math.max(0, ...Object.keys(digests).map(Number));
    const keepable = isNumber(length, 2 * MOST_LINES) && isHash(digest) && Array.isArray(commitments) && commitments.length <= MOST_LINES && commitments.every(isHash);
    return keepable && length >= newest && (digests[length] ?? digest) === digest;
  }

  async takePart({ dice, turn }) {
    if (dice.anchor === null) await this.commit();
    else if (!dice.due) return;
    else if (!this.links(dice.anchor)) dice.open || this.stepIn(dice.anchor);
    else if (this.canAdd(dice)) await this.add(dice);
    else if (turn === "chance") this.stepIn(dice.anchor); // all wait, and nobody can tap
  }

  async add(dice) {
    const link = this.reveal(dice, null);
    await (link ? this.send({ type: "link", ...link }) : this.commit());
  }

  /**
   * Whether the next link may be added without a tap: if more commitments are known than with the link before. Not if a
   * tap with it got lost that knew no more: it would be skipped for the sake of the one after it. It waits for the next tap.
   */
  canAdd({ anchor, tip, commitments }) {
    const knew = (link) => this.kept.links.find((each) => each.link === link)?.epochs;
    return (knew(this.links(anchor).get(tip)) ?? commitments.length) > (knew(tip) ?? 0);
  }

  /**
   * All wait for a link that this page cannot add; mostly another device has this seat's chain, and may be gone. Then
   * this one begins a chain, each time after a longer pause, or two that are both there would replace each other's chains without end.
   */
  stepIn(anchor) {
    clearTimeout(this.stepping);
    this.stepping = setTimeout(() => {
      const { dice } = this.state;
      if (dice.anchor !== anchor || !dice.due || dice.open || !this.follows(dice)) return; // another tab may have begun one
      this.pause = 2 * this.pause + FIRST_PAUSE_MS;
      this.taking = this.commit();
    }, this.pause);
  }

  /** Commit to a chain: one that has not reached the server yet, or a new one. Gives whether it is in. */
  async commit() {
    const { chains } = this.kept;
    const sent = chains.find(({ used, refused }) => !used && !refused);
    const chain = sent ?? newChain();
    if (!sent) this.change({ chains: [...chains, chain] });
    const answer = await this.send({ type: "chain", anchor: chain.anchor });
    if (sent && answer?.type === "refused" && answer.code === "link") { // it had come: from another tab, or its answer was lost and another device was faster
      this.change({ chains: this.kept.chains.map((each) => (each.anchor === sent.anchor ? { ...each, refused: true } : each)) });
      return this.follows(this.state.dice) && this.commit(); // another tab may know more by now, and have begun one
    }
    return answer?.type === "state";
  }

  markUsed(anchor) {
    const { chains } = this.kept;
    if (chains.some((each) => each.anchor === anchor && !each.used)) this.change({ chains: chains.map((each) => (each.anchor === anchor ? { ...each, used: true } : each)) });
  }

  /** The links of a chain that is ours, by the one before each; undefined if it is another device's. */
  links(anchor) {
    const chain = this.kept.chains.find((each) => each.anchor === anchor);
    if (chain && !this.after.has(anchor)) this.after.set(anchor, linksOf(chain));
    return chain && this.after.get(anchor);
  }

  /**
   * The next link, to be sent. Until the record has it, it is always the same, and so is what is kept of when it was first
   * sent: asking twice gains nobody anything. One that got lost, and knew too few for a tap by now, is not sent any more.
   */
  reveal({ anchor, tip, commitments, least, length }, number) {
    const link = this.links(anchor)?.get(tip);
    if (link === undefined) return null;
    const { links } = this.kept;
    const sent = links.find((each) => each.link === link);
    if (number !== null && sent?.epochs < least) return null;
    const known = sent ?? { link, epochs: commitments.length, length, numbers: [] };
    this.change({ links: [...links.filter((each) => each !== sent), { ...known, numbers: [...known.numbers, number] }] });
    return this.links(anchor) ? { link, epochs: known.epochs } : null; // not if storage was too full for that
  }

  /** What a move or a tap sends besides; null if the page cannot take part just now. What takes no link is noted. */
  async part(state, move) {
    if (!this.follows(state.dice) || !isNumber(state.number, MOST_LINES - 1) || !isMove(move)) return null;
    if (state.roll && !state.you.includes(state.roll.seat)) return null; // it is somebody else's
    const taps = state.roll || state.moves.find((offer) => offer.move === move)?.taps; // whatever the server says, a roll is one
    if (!taps || state.dice.again) { // it is no tap, or comes out as it did before
      this.change({ bare: [...this.kept.bare, { length: state.dice.length, move: taps ? null : move }] });
      return {};
    }
    for (let taken = null; taken !== this.taking; ) await (taken = this.taking); // a link that is on its way for another reason is not this tap's
    if (this.state?.number !== state.number || !this.follows(this.state.dice)) return null; // the game has moved on, here or in another tab
    const number = state.roll ? state.number : state.number + 1; // a move that is a tap comes before its draw
    const ready = this.reveal(this.state.dice, number);
    if (ready) return ready;
    const isIn = await this.commit(); // another device had the chain, it is used up, or its next link got lost long ago
    return isIn && this.state.number === state.number ? this.reveal(this.state.dice, number) : null;
  }
}

/** What an older page has kept. */
function brought({ again, ...others }) {
  return { ...others, format: FORMAT, bare: again.map((length) => ({ length, move: null })) };
}

/** What was kept of tables that this browser has forgotten goes too. */
function forgetOthers(table) {
  const known = new Set([table, ...tables().map(({ id }) => id)].map((id) => `strandline.${place(id)}`));
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("strandline.dice.") && !known.has(key)) localStorage.removeItem(key);
  } catch {
    // Forbidden: then nothing was kept either.
  }
}
