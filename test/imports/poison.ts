/** Mutates files so that they are slow to read for code that does more than linear work, or that trusts numbers and references. */

import { isUtf8 } from 'node:buffer';

type Random = (below: number) => number;

/** A generator of integers, the same for every run. */
export function random(seed: string): Random {
  let state = [...seed].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) >>> 0, 7);
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const LONG = 200_000;
/** Text that is slow for patterns with nested or adjacent repetitions. */
const PUMPS: Record<string, string> = {
  spaces: `${' '.repeat(LONG)}x`,
  zeros: `1.${'0'.repeat(LONG)}1`,
  digits: '9'.repeat(LONG),
  email: `a@${'.x'.repeat(LONG / 2)}@`,
  hyphens: `${'-'.repeat(LONG)}!`,
  brackets: '<'.repeat(LONG),
  tags: '<a '.repeat(LONG / 3),
  paragraphs: '<p>'.repeat(LONG / 3),
  cells: '<tr><td>'.repeat(LONG / 8),
  attributes: `<a ${'x=1 '.repeat(LONG / 4)}>`,
  attribute: `<a title="${' '.repeat(LONG)}">x</a>`,
  comments: '<!---->'.repeat(LONG / 7),
  entities: '&amp'.repeat(LONG / 4),
  placeholders: '{{ '.repeat(LONG / 3),
  commas: ','.repeat(LONG),
  items: 'name:a|quantity:9999999;'.repeat(LONG / 24),
  newlines: '\\n\\\\n'.repeat(LONG / 5),
  urls: ',https://'.repeat(LONG / 9),
  nested: '['.repeat(LONG),
  objects: `${'{"a":'.repeat(LONG / 5)}1`,
  arrays: `[${'[],'.repeat(LONG / 3)}1]`,
  accents: '\ufdfa'.repeat(LONG / 3),
  marks: 'e\u0301'.repeat(LONG / 3),
  astral: '💥'.repeat(LONG / 4),
  huge: '1e999',
  negative: '-1e15',
  mobiledoc: '{"markups":[["b"]],"sections":[[1,"p",[[0,[0],1e999,"x"]]]]}',
  cards: JSON.stringify({
    cards: [['html', { html: 'x'.repeat(LONG) }]],
    sections: Array.from({ length: 2000 }, () => [10, 0]),
  }),
  lexical: `{"root":${'{"type":"list","children":['.repeat(30_000)}`,
  blog: `<img src="${'__GHOST_URL__/'.repeat(LONG / 14)}`,
  date: `2024-01-01T${'0'.repeat(LONG)}`,
};
const names = Object.keys(PUMPS);

const CSV_CELL = (text: string) => `"${text.replaceAll('"', '""')}"`;

type Mutation = (text: string, next: Random) => string;

/** Replaces a cell, or appends a row of pumped cells. */
function pumpCell(text: string, next: Random, pump: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const width = lines[0]!.split(',').length;
  const cells = (lines[1 + next(Math.max(1, lines.length - 1))] ?? lines[0]!).split(',');
  cells[next(Math.min(cells.length, width))] = CSV_CELL(pump);
  return [...lines, cells.join(',')].join('\n');
}

/** Replaces one value of the JSON document, chosen at random. */
function pumpValue(text: string, next: Random, pump: unknown): string {
  const document = JSON.parse(text) as unknown;
  const places: [Record<string, unknown>, string][] = [];
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      places.push([value as Record<string, unknown>, key]);
      visit(inner);
    }
  };
  visit(document);
  const [owner, key] = places[next(places.length)]!;
  owner[key] = pump;
  return JSON.stringify(document);
}

const BROKEN: Record<string, Mutation> = {
  truncated: (text, next) => text.slice(0, next(text.length)),
  'rows repeated': (text) => text + text.slice(text.indexOf('\n')).repeat(20),
  'quotes inserted': (text, next) => {
    const at = next(text.length);
    return `${text.slice(0, at)}"${text.slice(at)}${'"\n'.repeat(20_000)}`;
  },
  'columns repeated': (text) => text.replace('\n', `${',x'.repeat(990)}\n`),
  'a long line': (text) => `${text}\n${'x,'.repeat(2_500_000)}`,
  'brackets appended': (text) => text + '[{'.repeat(100_000),
  'comments before': (text) => '<!---->'.repeat(9000) + text,
  'nothing but spaces': () => ' '.repeat(500_000),
};

/** The file with one mutation, and its name. */
export function poisoned(file: Buffer, isJson: boolean, next: Random): { file: Buffer; what: string } {
  const kind = next(10);
  if (kind === 0) {
    const bytes = Buffer.from(file);
    for (let i = 0; i < 20; i++) bytes[next(bytes.length)] = next(256);
    return { file: bytes, what: 'random bytes' };
  }
  const text = file.toString(isUtf8(file) ? 'utf8' : 'latin1');
  if (kind < 4) {
    const name = Object.keys(BROKEN)[next(Object.keys(BROKEN).length)]!;
    return { file: Buffer.from(BROKEN[name]!(text, next), 'latin1'), what: name };
  }
  const name = names[next(names.length)]!;
  const pump = PUMPS[name]!;
  if (!isJson) return { file: Buffer.from(pumpCell(text, next, pump)), what: name };
  const value = [pump, [pump], { [pump.slice(0, 100)]: pump }, Array(2000).fill(pump.slice(0, 500)), 1e308][next(5)];
  return { file: Buffer.from(pumpValue(text, next, value)), what: name };
}
