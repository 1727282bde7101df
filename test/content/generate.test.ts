import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import pino from 'pino';
import { generateBlocks } from '../../src/domains/content/collections/generate-blocks.ts';
import { openAiModel } from '../../src/providers/ai/openai.ts';
import { type BlockDefinition, compileBlockSchema } from '../../src/shared/blocks/index.ts';
import { type Json, shareHarness, startHarness } from '../harness.ts';

const BLOCKS: BlockDefinition[] = [
  { id: 'title', type: 'TEXT', label: 'Headline', settings: { minLength: 5, maxLength: 30 } },
  { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
  { id: 'price', type: 'NUMBER', settings: { min: 10, max: 20, integer: true } },
  { id: 'isNew', type: 'BOOLEAN' },
  { id: 'date', type: 'DATE' },
  { id: 'place', type: 'GEO_LOCATION' },
  { id: 'kind', type: 'SELECT', settings: { options: ['shirt', { value: 'coat', label: 'Winter coat' }] } },
  { id: 'tags', type: 'MULTI_SELECT', settings: { options: ['linen', 'wool', 'silk'] } },
  { id: 'author', type: 'RELATIONSHIP', settings: { targetType: 'USER' } },
  { id: 'photo', type: 'MEDIA' },
];
const GOOD = {
  title: 'Linen in summer',
  body: '<p onclick="x">Light.<script>alert(1)</script></p>',
  price: 15,
  isNew: true,
  date: 1_763_164_800,
  place: { latitude: 1, longitude: 2 },
  kind: 'coat',
  tags: ['linen'],
  author: 'usr_invented',
};

/** A chat endpoint on loopback that sends `replies`, one after another. */
type Reply = (request: Json, response: ServerResponse) => void;
let replies: Reply[] = [];
const requests: Json[] = [];
const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  requests.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(text) });
  replies.shift()?.(requests.at(-1), response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

const h = await startHarness({ AI_BASE_URL: baseUrl, AI_API_KEY: 'key', AI_MODEL: 'small', LOG_LEVEL: 'silent' });
const plain = await shareHarness();
const [businessId, plainId] = [await h.business(), await plain.business()];
const writer = await h.member(businessId, 'CONTENT_WRITE');
const plainWriter = await plain.member(plainId, 'CONTENT_WRITE');
const PATH = '/collections/blocks/generate';

const content =
  (value: unknown): Reply =>
  (_request, response) =>
    response.end(
      JSON.stringify({
        choices: [{ message: { content: typeof value === 'string' ? value : JSON.stringify(value) } }],
      }),
    );
const status =
  (code: number): Reply =>
  (_request, response) =>
    response.writeHead(code).end('{}');

async function generate(...given: Reply[]) {
  replies = given;
  requests.length = 0;
  const body = { prompt: 'A letter about linen', blocks: BLOCKS };
  return h.call('POST', `/v1/businesses/${businessId}${PATH}`, { token: writer.token, body });
}

test('a valid response is accepted and sanitized, and IDs are never generated', async () => {
  const { status: code, body } = await generate(content(GOOD));
  assert.equal(code, 200, JSON.stringify(body));
  const values = Object.fromEntries(body.blocks.map(({ id, value }) => [id, value]));
  assert.deepEqual(values, { ...GOOD, body: '<p>Light.</p>', author: null, photo: null });
  const [{ path, authorization, body: sent }] = requests;
  assert.deepEqual([path, authorization, sent.model], ['/v1/chat/completions', 'Bearer key', 'small']);
  const { schema, strict } = sent.response_format.json_schema;
  assert.equal(strict, true);
  assert.deepEqual(Object.keys(schema.properties), schema.required);
  assert.deepEqual(schema.properties.kind.enum, ['shirt', 'coat']);
  assert.equal('author' in schema.properties || 'photo' in schema.properties, false);
});

test('invalid JSON and wrong types are repaired once, with the errors in the prompt', async () => {
  assert.equal((await generate(content('Sure! Here it is:'), content(GOOD))).status, 200);
  const wrong = { ...GOOD, title: 'x'.repeat(31), price: '15', kind: 'hat', tags: undefined };
  assert.equal((await generate(content(wrong), content(GOOD))).status, 200);
  const repair = requests[1].body.messages.at(-1).content;
  assert.match(repair, /title must have at most 30/);
  assert.match(repair, /price must be of type number/);
  assert.match(repair, /kind is not one of the options/);
  assert.match(repair, /tags is required/);
});

test('generation fails with 503 if the model is overloaded or unreachable, or its response is invalid twice, broken or too large', async () => {
  const failures: Reply[][] = [
    [content('no'), content('no')],
    [content({ ...GOOD, price: 'x' }), content({ ...GOOD, place: null })],
    [status(429)],
    [status(500)],
    [(_request, response) => response.end('<html>')],
    [(_request, response) => response.end('{}')],
    [content(JSON.stringify(GOOD) + ' '.repeat(3_000_000))],
    [(_request, response) => response.destroy()],
    [(_request, response) => response.writeHead(307, { location: '/elsewhere' }).end(), content(GOOD)],
  ];
  for (const failure of failures) {
    const { status: code, body } = await generate(...failure);
    assert.deepEqual([code, body.error], [503, 'UNAVAILABLE']);
  }
  await generate(status(429), content(GOOD));
  assert.equal(requests.length, 1, 'an overloaded model is not retried immediately');
});

test('a slow model times out, with one timeout for both attempts', async () => {
  const context = {
    businessId: 'biz_1',
    content: { model: openAiModel({ baseUrl, apiKey: null, model: 'slow' }) },
    now: 0,
    log: pino({ level: 'silent' }),
  };
  const input = { prompt: 'x', blocks: BLOCKS };
  replies = [() => {}];
  await assert.rejects(generateBlocks(context, { ...input, timeoutMs: 50 }), { kind: 'UNAVAILABLE' });
  replies = [content('no'), (_request, response) => response.write('{')];
  await assert.rejects(generateBlocks(context, { ...input, timeoutMs: 200 }), { kind: 'UNAVAILABLE' });
});

test('the built-in generator fills every block with a valid value from the prompt', async () => {
  const prompt = 'A winter coat of wool & silk <b>, 12 pieces, near 48.85, 2.35 on 2026-05-01';
  const body = { prompt, blocks: BLOCKS };
  const path = `/v1/businesses/${plainId}${PATH}` as const;
  const response = await plain.call('POST', path, { token: plainWriter.token, body });
  const values = Object.fromEntries(response.body.blocks.map(({ id, value }) => [id, value as Json]));
  assert.match(values.title, /^A winter coat/);
  assert.match(values.body, /^<p>A winter coat/);
  assert.deepEqual(values.place, { latitude: 48.85, longitude: 2.35 });
  assert.equal(values.date, Date.parse('2026-05-01') / 1000);
  assert.deepEqual([values.price, values.kind, values.tags], [12, 'coat', ['wool', 'silk']]);
  assert.deepEqual([values.author, values.photo], [null, null]);
  assert.deepEqual(compileBlockSchema(BLOCKS)(response.body.blocks).errors, []);

  for (const settings of [{ minLength: 300 }, { maxLength: 3 }, { minLength: 8, maxLength: 8 }, { maxLength: 0 }]) {
    for (const variant of ['PLAIN', 'HTML']) {
      const block: BlockDefinition = { id: 'a', type: 'TEXT', settings: { ...settings, variant } };
      const { blocks } = await generateBlocks(
        { businessId: 'biz_1', content: { model: null }, now: 0, log: pino({ level: 'silent' }) },
        { prompt: 'Hi 😀', blocks: [block] },
      );
      assert.equal(typeof blocks[0]!.value, 'string', JSON.stringify(settings));
      assert.deepEqual(compileBlockSchema([block])(blocks).errors, []);
    }
  }
});

test('an invalid request is rejected with every invalid field', async () => {
  const path = `/v1/businesses/${plainId}${PATH}` as const;
  const { status: code, body } = await plain.call('POST', path, {
    token: plainWriter.token,
    body: {
      prompt: '',
      blocks: [
        { id: 'a', type: 'NOPE' },
        { id: 'b', type: 'NUMBER', settings: { min: 'x' } },
      ],
    },
  });
  assert.equal(code, 422);
  assert.deepEqual(
    body.details.map(({ field }) => field),
    ['prompt', 'blocks[0].type', 'blocks[1].settings.min'],
  );
});
