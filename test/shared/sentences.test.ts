import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '../../admin/text/de/errors.ts';
import { sentences } from '../../admin/text/de/sentences.ts';
import { readSentences, translate } from '../../admin/text/sentences.ts';
import { documentedCodes } from '../../scripts/docs/errors.ts';

test('the German admin translates messages from the API and repeats their values', () => {
  const german = readSentences(sentences);
  assert.equal(
    translate(german, 'This order has nothing left to ship.'),
    'Diese Bestellung ist bereits vollständig versandt.',
  );
  assert.equal(translate(german, 'Ignored columns: a.b, c (d).'), 'Ignorierte Spalten: a.b, c (d).');
  assert.equal(translate(german, 'Something else.'), undefined);
});

test('every value in a German message is also in the English one', () => {
  const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name);
  for (const [english, german] of Object.entries(sentences))
    for (const name of values(german)) assert.ok(english.includes(name), german);
});

test('every error code that the German admin translates exists', () => {
  for (const code of Object.keys(errors)) assert.ok(documentedCodes.includes(code), code);
});
