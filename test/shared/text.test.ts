import assert from 'node:assert/strict';
import test from 'node:test';
import { Slug } from '../../src/shared/schemas.ts';
import { slugCandidates, slugFrom } from '../../src/shared/text/slugs.ts';
import { firstCharacters, foldText } from '../../src/shared/text/text.ts';

test('text is folded to lower case without accents; marks that are part of a letter are kept', () => {
  const folded = {
    'Crème BRÛLÉE': 'creme brulee',
    'Straße Ærø Łódź': 'strasse aero lodz',
    Ελλάδα: 'ελλαδα',
    'ＦＵＬＬ ﬁt': 'full fit',
    हिन्दी: 'हिन्दी',
    한국어: '한국어',
    ガラス: 'ガラス',
  };
  for (const [text, expected] of Object.entries(folded)) assert.equal(foldText(text), expected.normalize('NFC'));
});

test('a slug consists of letters and digits of any script, matches its schema and leaves space for a number', () => {
  assert.equal(slugFrom('  Crème brûlée, 2 × 100 g! '), 'creme-brulee-2-100-g');
  assert.equal(slugFrom('Große Straße'), 'grosse-strasse');
  assert.equal(slugFrom("Nora’s and Ada's 5' rope"), 'noras-and-adas-5-rope');
  assert.equal(slugFrom('茶碗 大'), '茶碗-大');
  assert.equal(slugFrom('हिन्दी'), 'हनद');
  assert.equal(slugFrom('★★★'), 'untitled');
  assert.equal(slugFrom('★★★', 'prod-1'), 'prod-1');
  const { pattern, maxLength } = Slug('linen-shirt') as unknown as { pattern: string; maxLength: number };
  for (const name of [
    'a'.repeat(200),
    `${'a'.repeat(79)} b`,
    '𠀀'.repeat(200),
    `a${'𠀀'.repeat(199)}`,
    'x'.repeat(79),
  ]) {
    for (const slug of slugCandidates(slugFrom(name))) {
      assert.match(slug, new RegExp(pattern, 'u'));
      assert.ok(slug.isWellFormed() && [...slug].length <= maxLength, slug);
    }
  }
});

test('slug candidates start with the plain slug, are numbered and are all different', () => {
  const tried = slugCandidates('lamp');
  assert.deepEqual(tried.slice(0, 4), ['lamp', 'lamp-2', 'lamp-3', 'lamp-4']);
  assert.equal(new Set(tried).size, tried.length);
});

test('text is never cut in the middle of a character', () => {
  assert.equal(firstCharacters('a😀b', 2), 'a😀');
  assert.equal(firstCharacters('abc', 3), 'abc');
});
