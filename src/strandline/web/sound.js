// Short sounds, made by code. They follow what an event says it sounds like, and know no game.

import { set, settings, stillness } from "./common.js";

/** Tones as [frequency, to frequency, seconds after the start, length, loudness]; `hiss` is noise through a filter. */
const SOUNDS = {
  dice: { hiss: [[2600, 0, 0.04, 0.5], [3200, 0.09, 0.04, 0.4], [2400, 0.17, 0.05, 0.5], [2900, 0.26, 0.04, 0.3], [2200, 0.33, 0.06, 0.4]] },
  slide: { tones: [[240, 330, 0, 0.16, 0.14]], hiss: [[900, 0, 0.2, 0.1]] },
  splash: { tones: [[420, 120, 0, 0.3, 0.16]], hiss: [[1400, 0, 0.4, 0.5], [700, 0.12, 0.5, 0.35]] },
  caught: { tones: [[330, 311, 0, 0.2, 0.2], [247, 220, 0.2, 0.4, 0.2]] },
  turn: { tones: [[660, 660, 0, 0.14, 0.16], [880, 880, 0.13, 0.28, 0.16]] },
  win: { tones: [[523, 523, 0, 0.2, 0.2], [659, 659, 0.15, 0.2, 0.2], [784, 784, 0.3, 0.2, 0.2], [1047, 1047, 0.45, 0.6, 0.22]] },
  end: { tones: [[440, 440, 0, 0.25, 0.16], [392, 392, 0.22, 0.5, 0.16]] },
};
/** What a phone does on "your turn": milliseconds on, off, on. */
const BUZZ = [60, 60, 60];

let context = null;
let noise = null;

/** Sound is on unless somebody turned it off, or wants stillness and has not turned it on. */
export const audible = () => settings().sound ?? !stillness();

export const setAudible = (on) => set({ sound: on });

/** Browsers let a page sound only after a tap or a key. */
function wake() {
  if (!audible()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wake, { capture: true });

/** Let something be heard, if sound is on and the person has touched the page. */
export function sound(name) {
  if (!audible() || document.hidden || !(name in SOUNDS)) return;
  document.documentElement.dataset.heard = name;
  if (context?.state !== "running") return;
  const { tones = [], hiss = [] } = SOUNDS[name];
  const now = context.currentTime;
  for (const [from, to, after, length, loud] of tones) {
    const tone = new OscillatorNode(context, { type: "triangle", frequency: from });
    tone.frequency.exponentialRampToValueAtTime(to, now + after + length);
    start(tone, tone, now + after, length, loud);
  }
  for (const [pitch, after, length, loud] of hiss) {
    const source = new AudioBufferSourceNode(context, { buffer: rustle(), loop: true });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 });
    source.connect(filter);
    start(source, filter, now + after, length, loud * 0.6);
  }
}

/** Ring and fade. */
function start(source, last, at, length, loud) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  last.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + length + 0.02);
}

/** A second of noise. */
function rustle() {
  if (noise) return noise;
  noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = 2 * Math.random() - 1;
  return noise;
}

/** It is somebody's turn here: a chime, and a short buzz where there is one and the person has touched the page. */
export function callToTurn() {
  sound("turn");
  if (audible() && context) navigator.vibrate?.(BUZZ);
}
