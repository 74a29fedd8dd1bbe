// SHA-256 and what is made of it. Browsers have it too, but not on pages without https, where families play at home.

export const isHash = (text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);

const K = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

/** The first 32 bits after the point. */
function fraction(value) {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
}

/** A word turned to the right. */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} bytes */
export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const [early, late] = [w[i - 15], w[i - 2]];
      const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const other = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      w[i] = (w[i - 16] + one + w[i - 7] + other) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const choice = (e & f) ^ (~e & g);
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + K[i] + w[i]) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = (state[i] + word) | 0));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** @param {Uint8Array} key of at most 64 bytes */
export function hmac(key, bytes) {
  const pad = (value) => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ value);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), bytes))));
}

export function joined(one, other) {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** One way to write a value as bytes: the names of objects in order, no spaces, nothing but ASCII. */
export const canonical = (value) => new TextEncoder().encode(written(value));

function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value).replace(/[\x7f-\uffff]/g, escaped);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${written(name)}:${written(value[name])}`).join(",")}}`;
}

const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The link that was revealed before this one, or the anchor. */
export const hashedLink = (link) => toHex(sha256(fromHex(link)));
