import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import Type from 'typebox';
import { compileCheck } from '../../src/http/validation/validation.ts';
import { Input } from '../../src/shared/schemas.ts';
import { startServer } from './app.ts';

/** A pattern that takes exponential time. */
const SLOW = '^(a+)+$';

test('a pattern never runs on a string that is too long, even if all errors are listed', () => {
  const check = compileCheck(Input({ code: Type.String({ maxLength: 10, pattern: SLOW }) }));
  const { user } = process.threadCpuUsage();
  const errors = check({ code: `${'a'.repeat(25)}!` });
  const { user: microseconds } = process.threadCpuUsage();
  assert.deepEqual(
    errors?.map(({ error }) => error),
    ['TOO_LONG'],
  );
  assert.ok(microseconds - user < 200_000, `${microseconds - user} µs`);
  assert.deepEqual(
    check({ code: 'b' })?.map(({ error }) => error),
    ['INVALID_FORMAT'],
  );
  assert.equal(check({ code: 'a' }), null);
});

test('the maximum length counts characters, so text of emoji is checked up to it', () => {
  const check = compileCheck(Input({ code: Type.String({ maxLength: 4, pattern: '^\\P{L}*$' }) }));
  assert.equal(check({ code: '😀'.repeat(4) }), null);
  assert.equal(check({ code: '😀😀😀a' })?.[0]?.error, 'INVALID_FORMAT');
});

test('a format is checked up to the maximum length', () => {
  const check = compileCheck(Input({ email: Type.String({ maxLength: 20, format: 'email' }) }));
  assert.equal(check({ email: 'ada@example.com' }), null);
  assert.match(check({ email: 'ada' })?.[0]?.message ?? '', /must be a valid email address/);
  assert.equal(check({ email: `ada@${'a'.repeat(50)}` })?.[0]?.error, 'TOO_LONG');
});

const text = Type.String();
const places = {
  body: Input({ name: text }),
  'a list in a body': Input({ names: Type.Array(Input({ name: text })) }),
  'a union in a body': Input({ name: Type.Union([Type.Null(), text]) }),
  'the values of a record': Type.Record(Type.String(), text),
};
const config = { access: 'public' as const };
const handler = () => ({});

for (const [name, body] of Object.entries(places)) {
  test(`the service does not start if a string in ${name} has no maximum length`, async () => {
    const started = startServer((app) => {
      after(() => app.close());
      app.post('/', { config, schema: { body } }, handler);
    });
    await assert.rejects(started, /POST \/: body\..* must set maxLength/);
  });
}

for (const part of ['querystring', 'params', 'headers'] as const) {
  test(`the service does not start if a string in ${part} has no maximum length`, async () => {
    const started = startServer((app) => {
      after(() => app.close());
      app.get('/:name', { config, schema: { [part]: Type.Object({ name: Type.String() }) } }, handler);
    });
    await assert.rejects(started, new RegExp(`${part}.* must set maxLength`));
  });
}
