import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type BlockDefinition,
  checkBlockSchema,
  checkBlocks,
  compileBlockSchema,
} from '../../src/shared/blocks/index.ts';

type Found = [field: string, code: string];
const found = (errors: { field: string; error: string }[]): Found[] => errors.map(({ field, error }) => [field, error]);

/** Errors for this value of a block with this type and settings. */
function wrong(type: string, value: unknown, settings?: object): Found[] {
  const definition = { id: 'x', type, settings } as BlockDefinition;
  assert.deepEqual(checkBlockSchema([definition]), [], 'the schema under test is valid');
  return found(compileBlockSchema([definition])([{ id: 'x', type, value }]).errors);
}
const at = (code: string, path = ''): Found[] => [[`blocks[0].value${path}`, code]];

test('every invalid value of every type is reported with its own path and code', () => {
  const cases: [type: string, value: unknown, expected: Found[], settings?: object][] = [
    ['TEXT', 7, at('INVALID_TYPE')],
    ['TEXT', ['a'], at('INVALID_TYPE')],
    ['TEXT', { en: 1 }, at('INVALID_TYPE', '.en')],
    ['TEXT', { 'not a locale': 'a' }, at('INVALID_FORMAT', '.not a locale')],
    ['TEXT', 'abcdef', at('TOO_LONG'), { maxLength: 5 }],
    ['TEXT', { en: 'abc', de: 'abcdef' }, at('TOO_LONG', '.de'), { maxLength: 5 }],
    ['TEXT', 'ab', at('TOO_SHORT'), { minLength: 3 }],
    ['NUMBER', '1', at('INVALID_TYPE')],
    ['NUMBER', Number.POSITIVE_INFINITY, at('OUT_OF_RANGE')],
    ['NUMBER', 0, at('OUT_OF_RANGE'), { min: 1 }],
    ['NUMBER', 3, at('OUT_OF_RANGE'), { max: 2 }],
    ['NUMBER', 1.5, at('INVALID_TYPE'), { integer: true }],
    ['BOOLEAN', 'true', at('INVALID_TYPE')],
    ['BOOLEAN', 0, at('INVALID_TYPE')],
    ['DATE', '2026-01-01', at('INVALID_TYPE')],
    ['DATE', 1.5, at('INVALID_TYPE')],
    ['DATE', 1_763_164_800_000, at('OUT_OF_RANGE')],
    ['GEO_LOCATION', [1, 2], at('INVALID_TYPE')],
    ['GEO_LOCATION', { latitude: 91, longitude: 0 }, at('OUT_OF_RANGE', '.latitude')],
    ['GEO_LOCATION', { latitude: 0, longitude: -181 }, at('OUT_OF_RANGE', '.longitude')],
    ['GEO_LOCATION', { latitude: '1', longitude: 0 }, at('INVALID_TYPE', '.latitude')],
    ['GEO_LOCATION', { latitude: 1 }, at('REQUIRED', '.longitude')],
    ['MEDIA', 7, at('INVALID_TYPE')],
    ['MEDIA', 'media 1', at('INVALID_FORMAT', '.id')],
    ['MEDIA', { mimeType: 'image/png' }, at('REQUIRED', '.url')],
    ['MEDIA', [{ url: '/a.jpg' }, { url: 'javascript:alert(1)' }], at('INVALID_FORMAT', '[1].url')],
    ['MEDIA', { url: '/a', mimeType: 'nonsense' }, at('INVALID_FORMAT', '.mimeType')],
    ['MEDIA', { url: '/a', id: 'a b' }, at('INVALID_FORMAT', '.id')],
    ['SELECT', 'c', at('INVALID_VALUE'), { options: ['a', { value: 'b', label: 'B' }] }],
    ['SELECT', ['a'], at('INVALID_TYPE'), { options: ['a'] }],
    ['MULTI_SELECT', 'a', at('INVALID_TYPE'), { options: ['a'] }],
    ['MULTI_SELECT', ['a', 'z'], at('INVALID_VALUE', '[1]'), { options: ['a', 'b'] }],
    ['MULTI_SELECT', ['a', 'b', 'a'], at('DUPLICATE', '[2]'), { options: ['a', 'b'] }],
    ['RELATIONSHIP', 7, at('INVALID_TYPE'), { targetType: 'USER' }],
    ['RELATIONSHIP', ['usr_1'], at('INVALID_TYPE'), { targetType: 'USER' }],
    ['RELATIONSHIP', '', at('TOO_SHORT'), { targetType: 'USER' }],
    ['RELATIONSHIP', 'usr_1', at('INVALID_TYPE'), { targetType: 'USER', many: true }],
    ['RELATIONSHIP', ['a', 'a'], at('DUPLICATE', '[1]'), { targetType: 'USER', many: true }],
  ];
  for (const [type, value, expected, settings] of cases) {
    assert.deepEqual(wrong(type, value, settings), expected, `${type} ${JSON.stringify(value)}`);
  }
});

test('valid values pass, an empty value is null, and length counts visible characters', () => {
  const right: [type: string, value: unknown, settings?: object][] = [
    ['TEXT', { en: 'a', 'pt-BR': 'b' }],
    ['TEXT', '😀😀😀', { maxLength: 3, minLength: 3 }],
    ['NUMBER', -1.5, { min: -2, max: 0 }],
    ['BOOLEAN', false],
    ['DATE', -86_400],
    ['GEO_LOCATION', { latitude: -90, longitude: 180 }],
    ['MEDIA', [{ id: 'media_1', url: 'https://a.example/b.jpg', mimeType: 'image/jpeg' }]],
    ['SELECT', 'b', { options: ['a', { value: 'b', label: 'B' }] }],
    ['MULTI_SELECT', [], { options: ['a'] }],
    ['RELATIONSHIP', ['usr_1', 'usr_2'], { targetType: 'USER', many: true }],
  ];
  for (const [type, value, settings] of right) {
    assert.deepEqual(wrong(type, value, settings), [], type);
    assert.deepEqual(wrong(type, null, settings), [], type);
    const { blocks } = compileBlockSchema([{ id: 'x', type, settings } as BlockDefinition])([{ id: 'x', value }]);
    assert.deepEqual(blocks, [{ id: 'x', type, value }]);
  }
});

test('null in a field of a media item has the same effect as omitting it', () => {
  const check = compileBlockSchema([{ id: 'photo', type: 'MEDIA' }]);
  const { blocks, errors } = check([{ id: 'photo', value: { id: null, url: '/a.jpg', mimeType: null } }]);
  assert.deepEqual(errors, []);
  assert.deepEqual(blocks, [{ id: 'photo', type: 'MEDIA', value: { url: '/a.jpg' } }]);
});

test('a required value must be present and non-empty, except in a draft', () => {
  const check = compileBlockSchema([
    { id: 'title', type: 'TEXT', required: true },
    { id: 'body', type: 'TEXT', required: true, settings: { variant: 'HTML' } },
    { id: 'tags', type: 'MULTI_SELECT', required: true, settings: { options: ['a'] } },
    { id: 'flag', type: 'BOOLEAN', required: true },
  ]);
  const blocks = [
    { id: 'title', value: { en: '' } },
    { id: 'body', value: '<script>alert(1)</script>' },
    { id: 'tags', value: [] },
  ];
  assert.deepEqual(found(check(blocks).errors), [
    ['blocks[0].value', 'REQUIRED'],
    ['blocks[1].value', 'REQUIRED'],
    ['blocks[2].value', 'REQUIRED'],
    ['blocks.flag', 'REQUIRED'],
  ]);
  assert.deepEqual(check(blocks, 'blocks', { draft: true }).errors, []);
  assert.deepEqual(found(check([{ id: 'flag', value: 'no' }], 'blocks', { draft: true }).errors), [
    ['blocks[0].value', 'INVALID_TYPE'],
  ]);
});

test('unknown, duplicate and mistyped blocks are all reported at once', () => {
  const check = compileBlockSchema([{ id: 'title', type: 'TEXT' }]);
  const blocks = [
    { id: 'title', type: 'TEXT', value: 'a' },
    { id: 'title', type: 'TEXT', value: 'b' },
    { id: 'other', type: 'TEXT', value: 'c' },
    { type: 'TEXT' },
    'title',
    { id: 'a b' },
    { id: 7 },
    { id: '__proto__', value: 1 },
  ];
  assert.deepEqual(found(check(blocks, 'b').errors), [
    ['b[1].id', 'DUPLICATE'],
    ['b[2].id', 'UNKNOWN_BLOCK'],
    ['b[3].id', 'REQUIRED'],
    ['b[4]', 'INVALID_TYPE'],
    ['b[5].id', 'INVALID_FORMAT'],
    ['b[6].id', 'INVALID_TYPE'],
    ['b[7].id', 'UNKNOWN_BLOCK'],
  ]);
  assert.deepEqual(found(check([{ id: 'title', type: 'NUMBER', value: 1 }]).errors), [
    ['blocks[0].type', 'INVALID_VALUE'],
  ]);
  assert.deepEqual(found(check('no').errors), [['blocks', 'INVALID_TYPE']]);
});

test('all errors of an invalid schema are reported at once', () => {
  const errors = checkBlockSchema([
    { id: 'a', type: 'TEXT', settings: { maxLength: '9', minLength: -1, variant: 'html' } },
    { id: 'a', type: 'TEXT' },
    { id: 'b', type: 'COLOUR' },
    { id: 'c' },
    { id: 'd', type: 'NUMBER', settings: { min: 2, max: 1, integer: 'yes' } },
    { id: 'e', type: 'SELECT' },
    { id: 'f', type: 'SELECT', settings: { options: [] } },
    { id: 'g', type: 'MULTI_SELECT', settings: { options: ['x', 'x', '', 3, { label: 'y' }] } },
    { id: 'h', type: 'RELATIONSHIP' },
    { id: 'i', type: 'RELATIONSHIP', settings: { targetType: 'PLANET', many: 1 } },
    { id: 'j', type: 'TEXT', label: 1, required: 'yes', settings: [] },
    { id: 'k', type: 'TEXT', settings: { minLength: 3, maxLength: 2 } },
  ]);
  assert.deepEqual(found(errors), [
    ['blocks[0].settings.minLength', 'OUT_OF_RANGE'],
    ['blocks[0].settings.maxLength', 'INVALID_TYPE'],
    ['blocks[0].settings.variant', 'INVALID_VALUE'],
    ['blocks[1].id', 'DUPLICATE'],
    ['blocks[2].type', 'INVALID_VALUE'],
    ['blocks[3].type', 'REQUIRED'],
    ['blocks[4].settings.min', 'OUT_OF_RANGE'],
    ['blocks[4].settings.integer', 'INVALID_TYPE'],
    ['blocks[5].settings.options', 'REQUIRED'],
    ['blocks[6].settings.options', 'TOO_SHORT'],
    ['blocks[7].settings.options[1]', 'DUPLICATE'],
    ['blocks[7].settings.options[2]', 'TOO_SHORT'],
    ['blocks[7].settings.options[3]', 'INVALID_TYPE'],
    ['blocks[7].settings.options[4].value', 'REQUIRED'],
    ['blocks[9].settings.targetType', 'INVALID_VALUE'],
    ['blocks[9].settings.many', 'INVALID_TYPE'],
    ['blocks[10].label', 'INVALID_TYPE'],
    ['blocks[10].required', 'INVALID_TYPE'],
    ['blocks[10].settings', 'INVALID_TYPE'],
    ['blocks[11].settings.minLength', 'OUT_OF_RANGE'],
  ]);
});

test('blocks without a schema are validated against their own type and keep their label and settings', () => {
  const good = {
    id: 'care',
    type: 'TEXT',
    label: 'Care',
    settings: { variant: 'HTML' },
    value: '<p onclick="x">Wash</p>',
  };
  assert.deepEqual(checkBlocks([good]).blocks, [{ ...good, value: '<p>Wash</p>' }]);
  assert.deepEqual(
    found(
      checkBlocks([
        { id: 'a', type: 'NUMBER', value: 'x' },
        { id: 'b', type: 'NOPE', value: 'x' },
        { id: 'c', value: 'x' },
        { id: 'd', type: 'SELECT', value: 1 },
      ]).errors,
    ),
    [
      ['blocks[0].value', 'INVALID_TYPE'],
      ['blocks[1].type', 'INVALID_VALUE'],
      ['blocks[2].type', 'REQUIRED'],
      ['blocks[3].value', 'INVALID_TYPE'],
    ],
  );
});

test('references are collected with their field paths', () => {
  const check = compileBlockSchema([
    { id: 'author', type: 'RELATIONSHIP', settings: { targetType: 'USER' } },
    { id: 'products', type: 'RELATIONSHIP', settings: { targetType: 'PRODUCT', many: true } },
  ]);
  const { references } = check([
    { id: 'author', value: 'usr_1' },
    { id: 'products', value: ['prod_1', 'prod_2', 3] },
  ]);
  assert.deepEqual(references, [
    { targetType: 'USER', id: 'usr_1', field: 'blocks[0].value' },
    { targetType: 'PRODUCT', id: 'prod_1', field: 'blocks[1].value[0]' },
    { targetType: 'PRODUCT', id: 'prod_2', field: 'blocks[1].value[1]' },
  ]);
});
