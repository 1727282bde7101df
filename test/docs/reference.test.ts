import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { referencePages } from '../../scripts/docs/pages.ts';

test('docs/reference matches the settings, events, permissions, errors and limits in the code', () => {
  for (const [file, text] of referencePages()) {
    assert.equal(readFileSync(file, 'utf8'), text, 'Run npm run docs:reference.');
  }
});
