import assert from 'node:assert/strict';
import test from 'node:test';
import { divideConnections } from '../../../src/db/connections.ts';
import { shareHarness } from '../../harness.ts';
import { whenWaitingForLock } from '../../locks.ts';
import { GOOD_PASSWORD, newEmail, registered } from '../people.ts';

const h = await shareHarness();
const PATH = '/v1/users/login/code';

const request = (email: string, from = '192.0.2.1') =>
  h.call('POST', PATH, { headers: { 'x-forwarded-for': from }, body: { email } });
const login = (body: object) => h.call('POST', PATH, { body });

async function codeMail(email: string) {
  await h.drain('login-code');
  const mail = (await h.mailbox()).find((message) => message.kind === 'mail' && message.to === email);
  return mail?.kind === 'mail' ? mail : null;
}
async function requested(email: string) {
  // Sends the earlier emails first, because a drain sends several at once in any order.
  await codeMail(email);
  const { challenge } = (await request(email)).body;
  const code = /\d{6}/.exec((await codeMail(email))!.text)![0]!;
  return { email, challenge, code };
}
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('a code logs in once, and creates the account on first use', async () => {
  const sent = await requested(newEmail());
  const { status, body } = await login(sent);
  assert.equal(status, 200, JSON.stringify(body));
  const { body: me } = await h.call('GET', '/v1/users/me', { token: body.accessToken! });
  assert.deepEqual([me.email, me.isConfirmed], [sent.email, true]);
  assert.equal((await login(sent)).status, 422);
});

test('two concurrent logins with one code start one session', async () => {
  const sent = await requested(newEmail());
  const statuses = await h.pool.transaction(async (tx) => {
    // Blocks deleting the code but not counting attempts, so that all attempts compare the code before one uses it.
    await tx`select from login_codes where email = ${sent.email} for key share`;
    const logins = Promise.all([login(sent), login(sent), login(sent)]);
    await whenWaitingForLock(h.pool, logins, Math.min(3, divideConnections(h.config.databasePool).pool));
    return { logins };
  });
  assert.deepEqual((await statuses.logins).map(({ status }) => status).sort(), [200, 422, 422]);
});

test('a code works only for its email and with the challenge of the browser that requested it', async () => {
  const sent = await requested(newEmail());
  const { challenge: foreign } = (await request(sent.email, '192.0.2.2')).body;
  assert.equal((await login({ ...sent, challenge: foreign })).status, 422);
  assert.equal((await login({ email: sent.email, code: sent.code })).status, 422);
  assert.equal((await login({ ...sent, email: newEmail() })).status, 422);
  assert.equal((await login(sent)).status, 200);
});

test('five wrong attempts invalidate a code, but not one requested by someone else', async () => {
  const email = newEmail();
  const { challenge } = (await request(email, '192.0.2.2')).body;
  const sent = await requested(email);
  for (let i = 0; i < 6; i++) await login({ email, challenge, code: wrong(sent.code) });
  for (let i = 0; i < 5; i++) assert.equal((await login({ ...sent, code: wrong(sent.code) })).status, 422);
  assert.equal((await login(sent)).status, 422, 'the sixth attempt fails even with the right code');
  const again = await requested(email);
  assert.equal((await login(again)).status, 200);
});

test('a code expires after ten minutes', async () => {
  const sent = await requested(newEmail());
  h.clock.advance(600);
  assert.equal((await login(sent)).status, 422);
});

test('a client that requests many codes can’t stop the mailbox owner from requesting one', async () => {
  const email = newEmail();
  for (let i = 0; i < 5; i++) assert.equal((await request(email, '203.0.113.1')).status, 200);
  assert.equal((await request(email, '203.0.113.1')).status, 429);
  assert.equal((await login(await requested(email))).status, 200);
});

test('the password of an unconfirmed account, which anyone can choose, is removed at the first login', async () => {
  const email = newEmail();
  await h.call('POST', '/v1/users/register', { body: { provider: 'EMAIL_REGISTER', email, password: GOOD_PASSWORD } });
  assert.equal((await login(await requested(email))).status, 200);
  const { body } = await h.call('POST', '/v1/users/login', {
    body: { provider: 'EMAIL', email, password: GOOD_PASSWORD },
  });
  assert.equal(body.details[0]!.error, 'PASSWORD_WRONG');
});

test('the link has the code in its fragment, so fetching it does not use up the code', async () => {
  const sent = await requested(newEmail());
  const mail = (await codeMail(sent.email))!;
  const link = /http\S+\/login-code#\S+/.exec(mail.text)![0];
  const fragment = new URLSearchParams(new URL(link).hash.slice(1));
  assert.deepEqual([fragment.get('email'), fragment.get('code')], [sent.email, sent.code]);
  assert.match(mail.html!, /login-code#/);
  assert.equal((await login(sent)).status, 200);
});

test('a login from a new device sends an email, but the first login or one from a known device does not', async () => {
  const { email, password } = await registered(h);
  const logInWith = (agent: string) =>
    h.call('POST', '/v1/users/login', {
      headers: { 'user-agent': agent },
      body: { provider: 'EMAIL', email, password },
    });
  const subjects = async () =>
    (await h.mailbox()).flatMap((mail) => (mail.kind === 'mail' && mail.to === email ? [mail.subject] : []));
  const before = (await subjects()).length;
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
  await logInWith(mac);
  await logInWith(mac.replace('18.0', '18.1'));
  assert.equal((await subjects()).length, before);
  const { body } = await logInWith('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
  assert.match((await subjects())[0]!, /New login/);
  const { body: sessions } = await h.call('GET', '/v1/users/sessions', { token: body.accessToken });
  assert.deepEqual([...new Set(sessions.items.map(({ device }) => device))].sort(), [
    'Firefox, Linux',
    'Safari, macOS',
  ]);
  assert.ok(sessions.items.every(({ address }) => address));
});
