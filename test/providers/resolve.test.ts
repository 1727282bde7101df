import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import test, { after } from 'node:test';
import { createResolve } from '../../src/providers/outbound/resolve.ts';

/** A name server that resolves `fast` names and never responds to queries for `slow` ones. */
const server = createSocket('udp4');
const queried: string[] = [];
server.on('message', (question, { port, address }) => {
  const name = nameIn(question);
  queried.push(name);
  if (name.startsWith('slow')) return;
  server.send(responseTo(question), port, address);
});
server.bind(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const options = { servers: [`127.0.0.1:${server.address().port}`] };

const nameIn = (question: Buffer): string => {
  const labels: string[] = [];
  for (let at = 12; question[at]! > 0; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  return labels.join('.');
};

/** 192.0.2.1 for A, nothing for AAAA. */
function responseTo(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const isA = question.readUInt16BE(end - 4) === 1;
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isA ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  return isA ? Buffer.concat([head, Buffer.from('c00c00010001000000010004c0000201', 'hex')]) : head;
}

test('host names of one business that never resolve do not delay other businesses', async () => {
  const resolve = createResolve(options);
  const slow = Array.from({ length: 20 }, (_, i) => resolve(`slow${i}.example`, 'biz_a'));
  await assert.rejects(resolve('fast.example', 'biz_a'), /Too many/);
  assert.deepEqual(await Promise.race([resolve('fast.example', 'biz_b'), ...slow]), ['192.0.2.1']);
  await Promise.allSettled(slow);
});

test('a lookup fails after its time limit, and the business can then resolve other names', async () => {
  const resolve = createResolve({ ...options, timeoutMs: 150 });
  const slow = Array.from({ length: 20 }, (_, i) => resolve(`slow-again${i}.example`, 'biz_a'));
  const outcomes = await Promise.allSettled(slow);
  assert.deepEqual(
    outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
    [],
  );
  assert.deepEqual(await createResolve(options)('fast.example', 'biz_a'), ['192.0.2.1']);
  assert.deepEqual(await resolve('localhost', 'biz_a'), ['127.0.0.1'], 'the hosts file applies');
});

test('concurrent lookups of the same name share one query', async () => {
  const resolve = createResolve(options);
  const same = await Promise.all(Array.from({ length: 50 }, () => resolve('fast-same.example', 'biz_a')));
  assert.deepEqual(new Set(same.flat()), new Set(['192.0.2.1']));
  assert.equal(queried.filter((name) => name === 'fast-same.example').length, 2, 'one each for IPv4 and IPv6');
});
