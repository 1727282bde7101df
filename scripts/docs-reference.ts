/** Writes docs/reference/*.md from the code; with --check, fails if they are outdated. */
import { readFileSync, writeFileSync } from 'node:fs';
import { referencePages } from './docs/pages.ts';

const outdated = [...referencePages()].filter(([file, text]) => {
  try {
    return readFileSync(file, 'utf8') !== text;
  } catch {
    return true;
  }
});
if (!process.argv.includes('--check')) {
  for (const [file, text] of outdated) writeFileSync(file, text);
} else if (outdated.length > 0) {
  process.stderr.write(`docs/reference is outdated. Run npm run docs:reference.\n`);
  process.exitCode = 1;
}
