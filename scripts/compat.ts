/**
 * `npm run check:compat` fails if docs/openapi.json breaks clients of the last release. A breaking change requires a
 * new minor version (before 1.0; a new major version afterward) and a line in CHANGELOG.md with the operation or
 * schema. `npm run compat -- --record` saves the document of a release as docs/released/openapi.json, which is
 * available in a shallow clone too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { checkBreakages } from './compat/check.ts';
import { findBreakages } from './compat/compare.ts';
import { type Document, recordOf } from './compat/document.ts';

const RELEASED = new URL('../docs/released/openapi.json', import.meta.url);
const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

const { version } = JSON.parse(read('package.json')) as { version: string };
const current = JSON.parse(read('docs/openapi.json')) as Document;

if (process.argv.includes('--record')) {
  writeFileSync(RELEASED, recordOf(current, version));
} else {
  const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as Document;
  const problems = checkBreakages(
    findBreakages(released, current),
    released.info.version,
    version,
    read('CHANGELOG.md'),
  );
  if (problems.length > 0) {
    process.stderr.write(
      `docs/openapi.json breaks clients of ${released.info.version}:\n${problems.map((each) => `  ${each}\n`).join('')}` +
        'Undo the changes, or raise the minor version and list each operation or schema in CHANGELOG.md, in backticks.\n' +
        `If ${released.info.version} is not published yet, run npm run compat -- --record.\n`,
    );
    process.exit(1);
  }
}
