/** Texts that make a pattern with more than linear time slow, and how long the service takes for them. */
import { casesOf } from '../cases.ts';

/** Parts of the patterns, formats and languages that the service reads. */
const UNITS = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '\u2028',
    '.',
    ',',
    ';',
    ':',
    '-',
    '_',
    '+',
    '=',
    '*',
    '#',
    '|',
    '~',
    '`',
    '^',
    '$',
  ],
  ...[
    '.x',
    'a.',
    'a@',
    '@',
    'a+',
    '<',
    '>',
    '</',
    '<a ',
    '<a',
    '<!--',
    '-->',
    '<b>',
    '<p>',
    '<a href="',
    '<![CDATA[',
    '<?xml ',
  ],
  ...[
    '&',
    '&amp',
    '&amp;',
    '&#x',
    '"',
    "'",
    '""',
    '\\',
    '\\"',
    '/',
    '//',
    '../',
    '%',
    '%41',
    '%E2',
    '0',
    '0.',
    '1,',
    '9',
    '-1',
  ],
  ...[
    '{',
    '{{',
    '}}',
    '{{x}}',
    '[',
    ']',
    '(',
    ')',
    '((',
    '[](',
    'a',
    'aA',
    'A',
    'ab ',
    ' a',
    'http://',
    'https://a.',
    'data:',
  ],
  ...[
    '😀',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    '\u0301\u0316',
    '漢',
    'ไ',
    'ก็',
    '\u202e',
    '\u200b',
    '\u200d',
    'İ',
    'ß',
    'ﷺ',
    'Ω',
    '\ud800',
    '\udfff',
  ],
];
const TAILS = ['', '!', 'x', '@', '\u0001', '>', ' x'];

export type Pump = { unit: string; tail: string };

/** The text of this length, in UTF-16 units. */
export const pumped = ({ unit, tail }: Pump, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(0, length - tail.length)) + tail.slice(0, length);

export const WORDS: Pump = { unit: 'word ', tail: '' };

let turn = 0;

/** The pumps for a place, in turn. `PUMPS=100 TEST_FILE_MS=14400000 npm run test:thorough` tries every unit in every place. */
export function pumpsOf(few = 1): Pump[] {
  const count = casesOf(few, Number(process.env.PUMPS ?? 3));
  // Without a common divisor with the number of units or tails, every pump has its turn.
  return Array.from({ length: count }, () => {
    turn += 1;
    return { unit: UNITS[(turn * 37) % UNITS.length]!, tail: TAILS[turn % TAILS.length]! };
  });
}

const MAX_MS = 30;
export const TRIES = 3;
/** Per character. Escaping, and characters outside of ASCII, take longer in a body of 1 MiB. */
const ESCAPING_MS = 0.0002;

/** Whether it takes much longer than ordinary text, which can take long too. */
export const isSlower = (ms: number, usualMs: number) => ms - usualMs >= MAX_MS && ms >= 1.5 * usualMs;

export async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const start = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

async function leastMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) least = Math.min(least, await cpuMs(work));
  return least;
}

/** Prepares a request with this text. The returned function sends it. */
export type Prepare = (text: string) => () => Promise<unknown>;

/**
 * Sends a pump, and describes the result if it takes the main thread 30 ms more than ordinary text of the same length. Null otherwise. Only
 * what takes long is sent again.
 */
export async function findSlow(place: string, pump: Pump, length: number, prepare: Prepare): Promise<string | null> {
  const send = prepare(pumped(pump, length));
  if ((await cpuMs(send)) < MAX_MS) return null;
  const pumpMs = await leastMs(send);
  if (pumpMs < MAX_MS) return null;
  const wordMs = await leastMs(prepare(pumped(WORDS, length)));
  if (!isSlower(pumpMs, wordMs + length * ESCAPING_MS)) return null;
  return `${place}: ${JSON.stringify(pump)} × ${length}: ${pumpMs.toFixed(0)} ms instead of ${wordMs.toFixed(0)} ms`;
}

/** The length at which the pump has this many bytes when it is encoded. */
export function lengthWithin({ unit }: Pump, bytes: number, encode: (text: string) => string): number {
  const sample = pumped({ unit, tail: '' }, 1000);
  return Math.floor((bytes / Buffer.byteLength(encode(sample))) * sample.length);
}
