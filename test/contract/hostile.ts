/** Generates values that match a schema, and mutates them. */
import fc, { type Arbitrary } from 'fast-check';
import type { Json } from '../harness.ts';

/** Real values by field name, so that requests pass the first checks. */
export type Known = Record<string, readonly unknown[]>;

/** JSON that `JSON.stringify` can't produce, by placeholder. */
const RAW: Record<string, string> = {
  '@huge@': '1e999',
  '@minus-huge@': '-1e999',
  '@long@': '123456789012345678901234567890',
  '@minus-zero@': '-0',
  '@too-deep@': '['.repeat(70) + ']'.repeat(70),
  '@deep@': `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  '@proto@': '{"__proto__":{"admin":true}}',
  '@constructor@': '{"constructor":{"prototype":{"admin":true}}}',
  '@twice@': '{"id":"a","id":"b"}',
  '@nan@': 'NaN',
};

const texts = [
  '',
  ' ',
  'a\0b',
  '\0',
  '\ud800',
  'x\udfff',
  '\u202e\u200b',
  'İıſß',
  'e\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  "' or 1=1 --",
  '"; drop table users; --',
  '%',
  '%_\\',
  '\\',
  '$1',

  '{{subscriber.name',
  '{{x}}',
  '<script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  '0',
  '-1',
  '1e3',
  '0x10',
  '1.5',
  'NaN',
  'collection:',
  'order:x',
  'collection:x',
  'http://[',
  'javascript:alert(1)',
  '//evil.example',
  'https://a\t.b',
  'a@b',
  'a@b.c',
  '"a b"@example.com',
  'a\r\nBcc: b@example.com',
  '+1',
  '+99999999999999999',
  'usr_none',
  'prod_none',
  '..',
  '../..',
  '\n',
  '\r\n',
  '\u2028',
  '\ufeff',
  '(a+)+$',
  'a'.repeat(65),
  'a'.repeat(256),
  'ab '.repeat(3000),
];

/** Text of any code points, including unpaired surrogates. `fc.string` takes seconds to build for all of Unicode. */
const randomText = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength }).map((codes) => String.fromCodePoint(...codes));

export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: randomText(40) },
  { weight: 2, arbitrary: randomText(300).map((text) => text.toWellFormed()) },
);

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
const anyText = randomText(40).map((text) => text.toWellFormed());

/** Text that is allowed in a header. */
export const headerText: Arbitrary<string> = fc
  .oneof(
    fc.constantFrom(
      '"1"',
      '"0"',
      'W/"1"',
      '*',
      '"1", "2"',
      '"',
      '""',
      '1',
      '-1',
      '"999999999999999999999"',
      ',,,',
      'a b',
    ),
    hostileText,
  )
  .map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 1000));

const numbers = [
  0,
  -1,
  1,
  1.5,
  -0.1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e12,
  1e12 + 1,
  1e21,
  1e308,
  -1e308,
  5e-324,
];

const hostile: Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 5, arbitrary: fc.constantFrom<unknown>(...numbers) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], '1', ['a'], { a: 1 }),
  },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(RAW)) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(30_000), Array(2000).fill(0), Array(600).fill({ id: 'a' })) },
);

/** A value that mostly matches the schema. */
export function valid(schema: Json, known: Known, name = ''): Arbitrary<unknown> {
  const generated = valueFromSchema(schema, known, name);
  const real = known[name];
  return real
    ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...real) }, { weight: 1, arbitrary: generated })
    : generated;
}

function valueFromSchema(schema: Json, known: Known, name: string): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches: Json[] | undefined = schema.anyOf ?? schema.oneOf;
  if (branches) return fc.oneof(...branches.map((branch) => valid(branch, known, name)));
  const generated = byType(schema, known);
  if (!schema.examples?.length) return generated;
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...schema.examples) }, { weight: 1, arbitrary: generated });
}

function byType(schema: Json, known: Known): Arbitrary<unknown> {
  switch (schema.type) {
    case 'object':
      return objectOf(schema, known);
    case 'array':
      return fc.array(valid(schema.items ?? {}, known), { minLength: schema.minItems ?? 0, maxLength: 3 });
    case 'integer': {
      const min = Math.max(schema.minimum ?? 0, -100);
      return fc.oneof(
        fc.integer({ min, max: Math.max(min, Math.min(schema.maximum ?? 100, 100)) }),
        fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 2 ** 53),
      );
    }
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return fc.oneof(
        { weight: 6, arbitrary: word },
        { weight: 1, arbitrary: anyText.map((text) => [...text].slice(0, schema.maxLength).join('')) },
        { weight: 1, arbitrary: fc.constant('x'.repeat(Math.min(schema.maxLength ?? 1000, 5000))) },
      );
    default:
      return hostile;
  }
}

function objectOf({ properties = {}, required = [] }: Json, known: Known): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, inner]) => [name, valid(inner, known, name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

type Mutation = { place: number; how: 'replace' | 'remove' | 'add' | 'repeat'; what: unknown; name: string };

const mutation: Arbitrary<Mutation> = fc.record({
  place: fc.nat(),
  how: fc.constantFrom(
    'replace' as const,
    'replace' as const,
    'replace' as const,
    'remove' as const,
    'add' as const,
    'repeat' as const,
  ),
  what: hostile,
  name: fc.oneof(hostileText, fc.constantFrom('id', 'businessId', 'version', 'isConfirmed', 'a.b', 'x')),
});

/** The value with up to three mutations. */
export const mutated = (value: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc
    .tuple(value, fc.oneof(fc.constant([]), fc.tuple(mutation), fc.array(mutation, { maxLength: 3 })))
    .map(
      ([root, mutations]) =>
        (mutations as Mutation[]).reduce(applyMutation, { root: structuredClone(root) } as Json).root,
    );

function applyMutation(holder: Json, { place, how, what, name }: Mutation): Json {
  const places = placesIn(holder);
  const [parent, key] = places[place % places.length]!;
  const isRoot = parent === holder;
  if (how === 'remove' && !isRoot) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  } else if (how === 'add' && typeof parent[key] === 'object' && parent[key] !== null) {
    if (Array.isArray(parent[key])) parent[key].push(structuredClone(what));
    else
      Object.defineProperty(parent[key], name, {
        value: structuredClone(what),
        enumerable: true,
        writable: true,
        configurable: true,
      });
  } else if (how === 'repeat' && Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)]));
  else parent[key] = structuredClone(what);
  return holder;
}

/** Every nested value as its parent and key. */
function placesIn(holder: Json): [Json, string][] {
  return Object.keys(holder)
    .slice(0, 50)
    .flatMap((key) => {
      const inner = holder[key];
      const isHolder = typeof inner === 'object' && inner !== null;
      return [[holder, key] as [Json, string], ...(isHolder ? placesIn(inner) : [])];
    });
}

export const serialize = (value: unknown): string | undefined =>
  JSON.stringify(value)?.replaceAll(/"(@[a-z-]+@)"/g, (whole, mark: string) => RAW[mark] ?? whole);

/** A percent-encoded part of a query or path. Some parts are encoded incorrectly. */
export const encoded = (text: Arbitrary<string>): Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: text.map((each) => encodeURIComponent(each.toWellFormed())) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%zz', '%ff', '%00', '%ed%a0%80', '%2e%2e', '%2f', 'a%00b', '%25', '+'),
    },
  );
