import assert from 'node:assert/strict';
import { test } from 'node:test';
import { de } from '../../admin/text/de/index.ts';
import { en } from '../../admin/text/en/index.ts';
import { CSV_FORMATS, JSON_FORMATS } from '../../src/domains/imports/formats/index.ts';

test('the admin has a label for every import format', () => {
  for (const [language, { imports }] of Object.entries({ en, de }))
    for (const { name } of [...CSV_FORMATS, ...JSON_FORMATS])
      assert.ok(`format-${name}` in imports, `${name} has no text in "${language}"`);
});
