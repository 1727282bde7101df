import assert from 'node:assert/strict';
import test from 'node:test';
import { isServiceHost } from '../../src/domains/businesses/storefront/service-hosts.ts';

test('a service host is localhost, an IP address, or the host of PUBLIC_URL or HOST, with any port and a trailing dot', () => {
  const service = { publicUrl: 'https://souk.example:8443', bindHost: 'node.internal' };
  const own = ['localhost', 'localhost:3000', '127.0.0.1', '127.0.0.1:3000', '[::1]:3000', '::1', 'souk.example'];
  for (const host of [...own, 'souk.example:443', 'souk.example.', 'node.internal:80', 'SOUK.example']) {
    assert.ok(isServiceHost(host, service), host);
  }
  for (const host of ['shop.example', 'www.souk.example', 'souk.example.org', '127.0.0.1.example']) {
    assert.ok(!isServiceHost(host, service), host);
  }
});
