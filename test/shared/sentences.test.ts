import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '../../admin/text/de/errors.ts';
import { sentences } from '../../admin/text/de/sentences.ts';
import { sentences as english } from '../../admin/text/en/sentences.ts';
import { readSentences, translate } from '../../admin/text/sentences.ts';
import { documentedCodes } from '../../scripts/docs/errors.ts';

test('the German admin translates messages from the API and keeps their values', () => {
  const german = readSentences(sentences);
  assert.equal(
    translate(german, 'This order has nothing left to ship.'),
    'Diese Bestellung ist bereits vollständig versandt.',
  );
  assert.equal(translate(german, 'Ignored columns: a.b, c (d).'), 'Ignorierte Spalten: a.b, c (d).');
  assert.equal(translate(german, 'Something else.'), undefined);
});

test('the English admin replaces messages from the API that are not for merchants', () => {
  const replaced = (text: string) => translate(readSentences(english), text);
  assert.equal(replaced('profile.legalName is required.'), 'Fill in this field.');
  assert.equal(
    replaced('slug has an invalid format. Use a value such as linen-shirt.'),
    'Use a format such as linen-shirt.',
  );
  assert.equal(replaced('planIds is required if access is PLANS.'), 'Choose at least one plan.');
  assert.equal(replaced('taxBps must be at most 10000 (basis points; 100 = 1%).'), 'taxBps must be at most 10000.');
  assert.equal(replaced('A customer must have an email, a name or a phone number.'), undefined);
});

test('permissions are shown with their labels in both languages', () => {
  const message = 'This requires the ORDER_READ or ADMIN permission in this business.';
  const permission = (codes: string) => codes.toLowerCase();
  const shown = (texts: Readonly<Record<string, string>>) => translate(readSentences(texts), message, { permission });
  assert.equal(shown(english), 'You need the order_read or admin permission.');
  assert.equal(shown(sentences), 'Dafür brauchst du die Berechtigung order_read or admin.');
});

test('every value in a replaced message is also in the message of the API', () => {
  const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name);
  for (const [message, text] of [...Object.entries(sentences), ...Object.entries(english)])
    for (const name of values(text)) assert.ok(message.includes(name), text);
});

test('every error code that the German admin translates exists', () => {
  for (const code of Object.keys(errors)) assert.ok(documentedCodes.includes(code), code);
});
