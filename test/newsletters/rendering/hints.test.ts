import assert from 'node:assert/strict';
import test from 'node:test';
import { findHints } from '../../../src/domains/newsletters/rendering/hints.ts';
import { addPixel, untracked } from '../../../src/domains/newsletters/stats/track-links.ts';
import { fill } from '../../../src/shared/mail/template.ts';

const WORDS = `<p>${'Good words for our readers. '.repeat(8)}</p>`;
const codes = (html: string, subject = 'Spring in the workshop', hasAddress = true) =>
  findHints({ subject, html: `<html><head><title>x</title></head><body>${html}</body></html>`, hasAddress }).map(
    ({ code, detail }) => (detail ? `${code} ${detail}` : code),
  );

test('an ordinary email has no hints', () => {
  const link =
    '<a href="https://shop.example/sale">shop.example</a> <a href="https://shop.example/x">https://shop.example/x</a>';
  assert.deepEqual(codes(`${WORDS}${link}<img src="x.png" alt="A linen shirt">`), []);
  assert.deepEqual(codes(WORDS, 'DHL & UPS: neue Preise'), []);
  assert.deepEqual(codes(WORDS, '春の新作'), [], 'a script without capital letters');
});

test('a subject that is in capitals, over-punctuated or long gets a hint', () => {
  assert.deepEqual(codes(WORDS, 'BIG SALE TODAY'), ['SUBJECT_CAPITALS']);
  assert.deepEqual(codes(WORDS, 'Win now!!'), ['SUBJECT_PUNCTUATION']);
  assert.deepEqual(codes(WORDS, 'a'.repeat(91)), ['SUBJECT_LONG 91']);
});

test('images without text or alt text, a missing postal address and an email that Gmail clips get a hint', () => {
  assert.deepEqual(codes('<img src="x.png" alt="Sale">'), ['FEW_WORDS']);
  assert.deepEqual(codes(`${WORDS}<img src="x.png" alt=""><img src="y.png">`), ['NO_ALT 2']);
  assert.deepEqual(codes(WORDS, undefined, false), ['NO_ADDRESS']);
  assert.deepEqual(codes(WORDS + 'ä'.repeat(60_000)), ['TOO_LARGE 118']);
});

test('the image that reports opens gets no hint', () => {
  const withPixel = (html: string) =>
    fill(addPixel([`<html><body>${html}</body></html>`]), (variable) => untracked()[variable]!);
  const codesOf = (html: string) => findHints({ subject: 'Spring', html: withPixel(html), hasAddress: true });
  assert.match(withPixel(''), /<img /);
  assert.deepEqual(codesOf(WORDS), []);
  assert.deepEqual(codesOf('<p>Few words</p>'), []);
  assert.deepEqual(codesOf(`${WORDS}<img src="x.png">`), [{ code: 'NO_ALT', detail: '1' }]);
});

test('shortened links, and links whose text names another host, get a hint', () => {
  const link = (href: string, label: string) => codes(`${WORDS}<a href="${href}">${label}</a>`);
  assert.deepEqual(link('https://bit.ly/abc', 'Sale'), ['SHORTENED_LINK bit.ly']);
  assert.deepEqual(link('https://evil.example/', 'https://bank.example'), ['DISGUISED_LINK bank.example']);
  assert.deepEqual(link('https://www.shop.example/', 'www.shop.example'), []);
});
