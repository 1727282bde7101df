import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import test, { after } from 'node:test';
import { isCallable, parseNetwork } from '../../src/providers/outbound/addresses.ts';
import { CallFailed, createOutbound, Refused } from '../../src/providers/outbound/index.ts';

let calls = 0;
const server = createServer((request, response) => {
  calls++;
  if (request.url === '/inside') return response.writeHead(302, { location: 'http://[::ffff:10.0.0.1]/' }).end();
  if (request.url === '/again') return response.writeHead(307, { location: '/end' }).end();
  if (request.url === '/hang') return undefined;
  return response.end(`${request.headers.host} ${request.url}`);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;
const loopback = [parseNetwork('127.0.0.0/8')!];
const closed = createOutbound({ allow: [] });

test('no private address is called, in any notation, and no packet is sent', async () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    'localhost',
    'LOCALHOST.',
    '0.0.0.0',
    '0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2002:a00:1::1]',
    '[2001:db8::1]',
    '[2001::1]',
    '[::ffff:0:127.0.0.1]',
    '[100::1]',
  ];
  for (const host of hosts) {
    const url = `http://${host}:${port}/`;
    assert.notEqual(await closed.findProblem(url, 'biz_1'), null, url);
    await assert.rejects(closed.call(url, { businessId: 'biz_1', timeoutMs: 1000 }), Refused, url);
  }
  assert.equal(calls, 0);
});

test('other protocols, ports below 1024 and credentials in the URL are rejected', async () => {
  const open = createOutbound({ allow: loopback });
  for (const url of [
    'ftp://127.0.0.1/',
    `http://127.0.0.1:${port}/a\r\nb`,
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'javascript:alert(1)',
    '//127.0.0.1',
    'nonsense',
    '',
    'http://127.0.0.1:22/',
    'http://127.0.0.1:25/',
    'https://127.0.0.1:0/',
    `http://user:pass@127.0.0.1:${port}/`,
  ]) {
    await assert.rejects(open.call(url, { businessId: 'biz_1', timeoutMs: 1000 }), Refused, url);
  }
  assert.equal(calls, 0);
});

test('a name that resolves differently between check and call is rejected, and so is one with any private address', async () => {
  const responses = [['93.184.216.34'], ['127.0.0.1']];
  const turning = createOutbound({ allow: [], resolve: async () => responses.shift()! });
  assert.equal(await turning.findProblem(`http://turning.example:${port}/`, 'biz_1'), null);
  await assert.rejects(
    turning.call(`http://turning.example:${port}/`, { businessId: 'biz_1', timeoutMs: 1000 }),
    Refused,
  );
  const mixed = createOutbound({ allow: loopback, resolve: async () => ['127.0.0.1', '10.0.0.1'] });
  await assert.rejects(mixed.call(`http://mixed.example:${port}/`, { businessId: 'biz_1', timeoutMs: 1000 }), Refused);
  const unknown = createOutbound({ allow: [], resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  assert.match((await unknown.findProblem('http://nowhere.example/', 'biz_1'))!, /could not be resolved/);
  assert.equal(calls, 0);
});

test('a name is resolved once per connection, which goes to the checked address', async () => {
  let lookups = 0;
  const open = createOutbound({
    allow: loopback,
    resolve: async () => {
      lookups++;
      return ['127.0.0.1'];
    },
  });
  const response = await open.call(`http://shop.example:${port}/again`, {
    businessId: 'biz_1',
    timeoutMs: 5000,
    maxRedirects: 1,
  });
  assert.equal(Buffer.concat(await response.body.toArray()).toString(), `shop.example:${port} /end`);
  assert.deepEqual([response.url, lookups], [`http://shop.example:${port}/end`, 2]);
  const untouched = await open.call(`http://shop.example:${port}/again`, { businessId: 'biz_1', timeoutMs: 5000 });
  untouched.body.destroy();
  assert.equal(untouched.status, 307, 'redirects are not followed by default');
});

test('a redirect to a private network is rejected, and an unresponsive server times out', async () => {
  const open = createOutbound({ allow: loopback });
  await assert.rejects(
    open.call(`http://127.0.0.1:${port}/inside`, { businessId: 'biz_1', timeoutMs: 5000, maxRedirects: 3 }),
    Refused,
  );
  await assert.rejects(open.call(`http://127.0.0.1:${port}/hang`, { businessId: 'biz_1', timeoutMs: 100 }), CallFailed);
});

test('a call fails if the server switches protocols instead of responding', { timeout: 10_000 }, async (t) => {
  const switching = createNetServer((socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    );
  });
  await new Promise<void>((resolve) => switching.listen(0, '127.0.0.1', resolve));
  t.after(() => switching.close());
  const url = `http://127.0.0.1:${(switching.address() as AddressInfo).port}/`;
  const open = createOutbound({ allow: loopback });
  for (const keepAlive of [false, true])
    await assert.rejects(open.call(url, { businessId: 'biz_1', timeoutMs: 5000, keepAlive }), CallFailed);
});

test('public addresses are allowed, even embedded in IPv6, but not those of this machine', () => {
  for (const address of [
    '93.184.216.34',
    '2606:4700::1111',
    '::ffff:93.184.216.34',
    '64:ff9b::5db8:d822',
    '2002:5db8:d822::1',
  ]) {
    assert.equal(isCallable(address, []), true, address);
    assert.equal(isCallable(address, [], ['93.184.216.34', '2606:4700::1111']), false, address);
  }
  assert.equal(isCallable('10.1.2.3', [parseNetwork('10.1.0.0/16')!]), true);
  assert.equal(isCallable('10.2.2.3', [parseNetwork('10.1.0.0/16')!]), false);
  for (const wrong of ['10.1', 'x', '10.0.0.0/99', '']) assert.equal(parseNetwork(wrong), null, wrong);
});
