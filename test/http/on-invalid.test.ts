import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import Type from 'typebox';
import { addErrors } from '../../src/http/validation/on-invalid.ts';
import { badRequest } from '../../src/shared/errors.ts';
import { Input, Text } from '../../src/shared/schemas.ts';
import { startServer } from './app.ts';

const access = 'public';
const body = Input({ name: Text(2000), size: Type.Optional(Type.Integer()) });
let calls = 0;
const countCall = () => {
  calls += 1;
  return { calls };
};

const server = await startServer((app) => {
  app.post('/listed', {
    config: {
      access,
      onInvalid: addErrors((_request, sent, valid) => [
        { field: 'rule', error: 'BROKEN', message: JSON.stringify([sent, valid]) },
        { field: 'size', error: 'BROKEN', message: 'The schema has already reported this.' },
      ]),
    },
    schema: { body },
    handler: countCall,
  });
  app.post('/rejected', {
    config: { access, onInvalid: () => badRequest('Rejected.') },
    schema: { body },
    handler: countCall,
  });
  app.post('/accepted', { config: { access, onInvalid: () => null }, schema: { body }, handler: countCall });
  app.post('/own-hook', {
    config: { access, onInvalid: () => badRequest('Rejected.') },
    schema: { body },
    preHandler: (_request, _reply, done) => {
      calls += 1;
      done();
    },
    handler: countCall,
  });
});
after(server.stop);

const INVALID = { name: 'a', size: 'large' };

async function send(path: string, sent: object) {
  const before = calls;
  const response = await server.call('POST', path, { body: sent });
  return { ...response, calls: calls - before };
}

test('a route cannot set attachValidation itself', async () => {
  const unchecked = startServer((app) => {
    after(() => app.close());
    app.post('/', { config: { access }, attachValidation: true, schema: { body } }, countCall);
  });
  await assert.rejects(unchecked, /must not set attachValidation/);
});

test('an invalid request reaches no handler or route hook unless onInvalid accepts it', async () => {
  for (const path of ['/listed', '/rejected', '/own-hook']) {
    const { status, calls: reached } = await send(path, INVALID);
    assert.deepEqual([status >= 400, reached], [true, 0], path);
  }
  assert.deepEqual((await send('/accepted', INVALID)).calls, 1);
  for (const path of ['/listed', '/rejected', '/accepted']) assert.equal((await send(path, { name: 'a' })).calls, 1);
  assert.equal((await send('/own-hook', { name: 'a' })).calls, 2);
});

test('addErrors lists schema errors first, then its own for the other fields', async () => {
  const { status, body: response } = await send('/listed', INVALID);
  assert.equal(status, 422);
  const [schema, own, ...more] = response.details;
  assert.deepEqual([schema.field, schema.error], ['size', 'INVALID_TYPE']);
  assert.deepEqual(JSON.parse(own.message), [INVALID, { name: 'a' }]);
  assert.deepEqual(more, []);
});
