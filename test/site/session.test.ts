import assert from 'node:assert/strict';
import test from 'node:test';
import { createSessions } from '../../src/site/session.ts';

const sessions = createSessions('a secret key of at least 32 characters');
const place = { businessId: 'biz_1', base: '/s/one', isHttps: true };
const elsewhere = { ...place, businessId: 'biz_2' };
const sent = (cookies: string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');

test('a session can be read only by the site that wrote it, and not if it was altered', () => {
  const session = { accessToken: 'secret', cartId: 'cart_1', cartCount: 2 };
  const cookies = sessions.write(session, place);
  assert.match(cookies[0]!, /; Path=\/s\/one; .*SameSite=Lax; HttpOnly; Secure$/);
  assert.doesNotMatch(cookies.join(), /secret|cart_1/);
  const header = sent(cookies);
  assert.deepEqual(sessions.read(header, place), session);
  assert.equal(sessions.read(header, elsewhere), null);
  assert.equal(sessions.read(header.replace('v1.', 'v1.A'), place), null);
  assert.match(header, /souk_cart=2/);
  assert.match(sessions.write(null, place)[0]!, /Max-Age=0/);
});

test('a CSRF token is valid only with its cookie and on its site', () => {
  const { token, cookies } = sessions.csrf(undefined, place);
  const header = sent(cookies);
  assert.ok(sessions.isCsrf(header, place, token));
  assert.equal(sessions.csrf(header, place).token, token);
  assert.equal(sessions.isCsrf(header, elsewhere, token), false);
  assert.equal(sessions.isCsrf('souk_csrf=other', place, token), false);
  assert.equal(sessions.isCsrf(undefined, place, token), false);
  assert.equal(sessions.isCsrf(header, place, ''), false);
});
