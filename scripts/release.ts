/** `npm run check:release -- 0.2.0`: checks that packages, changelog and recorded API match this version. */
import { readFileSync } from 'node:fs';
import { sectionOf } from './compat/check.ts';
import { type Document, recordOf } from './compat/document.ts';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const version = process.argv[2] ?? '';

const problems = [
  ...['package.json', 'client/package.json']
    .filter((name) => JSON.parse(read(name)).version !== version)
    .map((name) => `${name} has a different version.`),
  ...(sectionOf(read('CHANGELOG.md'), version) === null ? ['CHANGELOG.md has no section for this version.'] : []),
  ...(recordOf(JSON.parse(read('docs/openapi.json')) as Document, version) === read('docs/released/openapi.json')
    ? []
    : ['docs/released/openapi.json is outdated. Run npm run compat -- --record.']),
];
if (problems.length > 0) {
  process.stderr.write(`Version ${version} can't be released:\n${problems.map((each) => `  ${each}\n`).join('')}`);
  process.exit(1);
}
