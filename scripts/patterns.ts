/**
 * `npm run check:patterns` fails if a regular expression takes more than linear time for some text. A pattern that only ever sees short texts
 * states their maximum in a comment above it, "At most 100 characters: …", and must take less than a millisecond for the worst text of that length.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { findPatterns, type Pattern } from './patterns/find.ts';
import { costOf, judge, type Verdict } from './patterns/judge.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const FILES = ['src', 'storefront', 'admin', 'client/src'].map((folder) => `${folder}/**/*.{ts,tsx}`);
const POSTAL_CODES = 'src/shared/addresses/formats.json';
const CACHE = `${ROOT}/node_modules/.cache/patterns.json`;
const { version } = JSON.parse(readFileSync(`${ROOT}/node_modules/recheck/package.json`, 'utf8')) as {
  version: string;
};
/** A longer text needs a linear pattern. */
const MAX_LENGTH = 1000;
const MAX_MS = 1;

const read = (file: string) => readFileSync(`${ROOT}/${file}`, 'utf8');

/** Postal codes are checked by patterns in a generated file. */
function postalCodes(): Pattern[] {
  const formats = JSON.parse(read(POSTAL_CODES)) as Record<string, { zip?: string }>;
  return Object.entries(formats).flatMap(([country, { zip }]) =>
    zip
      ? [
          {
            file: POSTAL_CODES,
            line: 1,
            source: `^(?:${zip})$`,
            flags: '',
            text: `${country}: ${zip}`,
            maxLength: null,
          },
        ]
      : [],
  );
}

const keyOf = ({ source, flags }: Pattern) => `recheck ${version} /${source}/${flags}`;

async function judgeAll(patterns: readonly Pattern[]): Promise<Map<string, Verdict>> {
  const known = new Map(Object.entries(readCache()));
  const verdicts = new Map<string, Verdict>();
  const queue = [...new Map(patterns.map((pattern) => [keyOf(pattern), pattern])).entries()];
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [key, { source, flags }] = next;
      verdicts.set(key, known.get(key) ?? (await judge(source!, flags)));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify(Object.fromEntries(verdicts)));
  return verdicts;
}

function readCache(): Record<string, Verdict> {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'));
  } catch {
    return {};
  }
}

/** What is wrong with a pattern, or null. */
function problemOf({ source, flags, maxLength }: Pattern, verdict: Verdict | undefined): string | null {
  if (source === null) return maxLength === null ? 'is built at run time: state the maximum length of its input' : null;
  if (verdict!.status === 'linear') return null;
  if (maxLength === null) return verdict!.summary;
  if (maxLength > MAX_LENGTH) return `${verdict!.summary}, and its input can have more than ${MAX_LENGTH} characters`;
  if (verdict!.status === 'unknown') return verdict!.summary;
  const ms = costOf(source, flags, verdict!, maxLength);
  return ms < MAX_MS ? null : `takes ${ms.toFixed(1)} ms for ${maxLength} characters`;
}

const files = FILES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
const found = [...findPatterns(files.map((file) => ({ file, text: read(file) }))), ...postalCodes()];
const verdicts = await judgeAll(found.filter(({ source }) => source !== null));
const problems = found.flatMap((pattern) => {
  const problem = problemOf(pattern, verdicts.get(keyOf(pattern)));
  return problem ? [`  ${pattern.file}:${pattern.line} ${pattern.text}\n    ${problem}`] : [];
});
if (problems.length > 0) {
  process.stderr.write(
    `${problems.length} of ${found.length} patterns can take more than linear time:\n${problems.join('\n')}\n` +
      'Use indexOf, split or trimEnd instead, or a pattern that reads each character once.\n',
  );
}
// The analyzer's process would keep this one alive.
process.exit(problems.length > 0 ? 1 : 0);
