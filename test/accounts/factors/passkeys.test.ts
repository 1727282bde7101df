import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Json, shareHarness } from '../../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { fresh, loggedIn, login, ORIGIN, passkeyRequest, secondFactor, withPasskey } from './steps.ts';

suite('Passkeys', async () => {
  const h = await shareHarness();
  const passkeyLogin = (challenge: string, credential: object) =>
    h.call('POST', '/v1/users/login/passkey', { body: { challenge, credential } });
  const refused = (answer: { status: number; body: { details: { error: string }[] } }, code = 'CREDENTIAL_INVALID') => {
    assert.equal(answer.status, 422);
    assert.equal(answer.body.details[0]?.error, code);
  };

  test('a passkey logs in without an email, a password or a second factor', async () => {
    const person = await loggedIn(h);
    const { device, added } = await withPasskey(h, person.token);
    assert.equal(added.status, 200);
    assert.equal(added.body.recoveryCodes.length, 10);
    const { challenge, ceremony } = await passkeyRequest(h);
    assert.equal(ceremony.options.userVerification, 'required');
    const done = await passkeyLogin(challenge, device.get(ceremony));
    assert.equal(done.status, 200);
    assert.equal(done.body.userId, person.userId);
    const { body } = await h.call('GET', '/v1/users/me/factors', { token: done.body.accessToken });
    assert.equal(body.passkeys.length, 1);
    assert.ok(body.passkeys[0]!.lastUsedAt);
  });

  test('a passkey is a second factor after the password, and works for no other account', async () => {
    const [person, other] = [await loggedIn(h), await loggedIn(h)];
    const { device } = await withPasskey(h, person.token);
    const { device: otherDevice } = await withPasskey(h, other.token);
    const requested = (await login(h, person.email)).body;
    assert.deepEqual(requested.methods, ['PASSKEY', 'RECOVERY_CODE']);
    const { challenge, ceremony } = await passkeyRequest(h, { challenge: requested.challenge });
    assert.deepEqual(
      ceremony.options.allowCredentials.map(({ id }: { id: string }) => id),
      [device.id],
    );
    refused(await secondFactor(h, challenge, 'PASSKEY', { credential: otherDevice.get(ceremony) }));
    const done = await secondFactor(h, challenge, 'PASSKEY', {
      credential: device.get(ceremony, { userVerified: false }),
    });
    assert.equal(done.body.userId, person.userId);
  });

  test('no forged assertion logs in', async () => {
    const person = await loggedIn(h);
    const { device } = await withPasskey(h, person.token);
    const forge = async (site: { origin?: string }, falsified?: Parameters<typeof device.get>[1]) => {
      const { challenge, ceremony } = await passkeyRequest(h);
      return passkeyLogin(challenge, device.get({ ...ceremony, ...site }, falsified));
    };
    refused(await forge({ origin: 'https://evil.example' }));
    refused(await forge({}, { rpId: 'evil.example' }));
    refused(await forge({}, { challenge: Buffer.from('another').toString('base64url') }));
    refused(await forge({}, { userVerified: false }));
    const { challenge, ceremony } = await passkeyRequest(h);
    const signed = device.get(ceremony);
    const signature = `${signed.response.signature!.slice(0, -6)}AAAAAA`;
    refused(await passkeyLogin(challenge, { ...signed, response: { ...signed.response, signature } }));
    refused(await passkeyLogin(challenge, { ...signed, id: 'unknown', rawId: 'unknown' }));
    refused(await passkeyLogin(challenge, {}));
    const other = await loggedIn(h);
    const userHandle = Buffer.from(other.userId).toString('base64url');
    refused(await passkeyLogin(challenge, { ...signed, response: { ...signed.response, userHandle } }));
    // The challenge of another browser doesn't match this signature.
    refused(await passkeyLogin((await passkeyRequest(h)).challenge, signed));
    assert.equal((await passkeyLogin(challenge, signed)).status, 200);
    refused(await passkeyLogin(challenge, signed));
    refused(await passkeyLogin(challenge, device.get(ceremony)), 'CHALLENGE_INVALID');
  });

  test('a copy of a passkey is detected by its counter, even if both are used at once', async () => {
    const person = await loggedIn(h);
    const { device } = await withPasskey(h, person.token);
    const signedWith = async (counter: number) => {
      const { challenge, ceremony } = await passkeyRequest(h);
      return { challenge, credential: device.get(ceremony, { counter }) };
    };
    const first = await signedWith(8);
    assert.equal((await passkeyLogin(first.challenge, first.credential)).status, 200);
    for (const counter of [8, 7, 0]) {
      const copy = await signedWith(counter);
      refused(await passkeyLogin(copy.challenge, copy.credential));
    }
    const both = [await signedWith(9), await signedWith(9)];
    const answers = await Promise.all(both.map(({ challenge, credential }) => passkeyLogin(challenge, credential)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
  });

  test('a passkey is added only once, by the session that requested it, for this site and with user verification', async () => {
    const [person, other] = [await loggedIn(h), await loggedIn(h)];
    const { token } = person;
    const headers = { ...fresh(h, token), origin: ORIGIN };
    const add = (body: object, as = token) => h.call('POST', '/v1/users/me/passkeys', { token: as, body });
    const ask = async () => (await h.call('POST', '/v1/users/me/passkeys/options', { token, headers })).body;
    const device = createAuthenticator();
    const { challenge, options } = await ask();
    const name = 'Key';
    const credential = device.create({ options, origin: ORIGIN });
    refused(await add({ challenge, credential, name }, other.token), 'CHALLENGE_INVALID');
    refused(await add({ challenge, credential: device.create({ options, origin: 'https://evil.example' }), name }));
    const elsewhere = device.create({ options, origin: ORIGIN }, { rpId: 'evil.example' });
    refused(await add({ challenge, credential: elsewhere, name }));
    const unverified = device.create({ options, origin: ORIGIN }, { userVerified: false });
    refused(await add({ challenge, credential: unverified, name }));
    assert.equal((await add({ challenge, credential, name })).status, 200);
    refused(await add({ challenge, credential, name }), 'CHALLENGE_INVALID');
    const next = await ask();
    assert.equal((next.options as Json).excludeCredentials.length, 1);
    const same = device.create({ options: next.options, origin: ORIGIN });
    refused(await add({ challenge: next.challenge, credential: same, name }), 'DUPLICATE');
    for (const origin of ['https://evil.example', 'http://127.0.0.1:3000']) {
      const answer = await h.call('POST', '/v1/users/me/passkeys/options', { token, headers: { ...headers, origin } });
      refused(answer, 'INVALID_ORIGIN_URI');
    }
  });

  test('a storefront’s passkey works only on its host, and no site can create one for a host it does not own', async () => {
    const { token, userId } = await loggedIn(h);
    const [tea, mugs] = ['http://tea.example', 'http://mugs.example'];
    for (const host of ['tea.example', 'mugs.example']) {
      await h.pool`insert into storefront_hosts (host, owner_id, proved_at) values (${host}, ${await h.business()}, 0)`;
    }
    await h.service.businesses.hosts.start(h.pool);
    const ask = (origin: string) =>
      h.call('POST', '/v1/users/me/passkeys/options', { token, headers: { ...fresh(h, token), origin } });
    for (const origin of ['http://evil.example', 'https://tea.example', 'http://tea.example:81', `${tea}/path`]) {
      refused(await ask(origin), 'INVALID_ORIGIN_URI');
    }
    const device = createAuthenticator();
    const { challenge, options } = (await ask(tea)).body;
    const credential = device.create({ options, origin: tea });
    const added = await h.call('POST', '/v1/users/me/passkeys', {
      token,
      body: { challenge, credential, name: 'Tea' },
    });
    assert.equal(added.body.host, 'tea.example');
    const loginAt = async (origin: string) => {
      const requested = await h.call('POST', '/v1/users/login/passkey/options', { headers: { origin }, body: {} });
      const signed = device.get({ options: requested.body.options, origin });
      return h.call('POST', '/v1/users/login/passkey', {
        body: { challenge: requested.body.challenge, credential: signed },
      });
    };
    refused(await loginAt(mugs));
    refused(await loginAt(ORIGIN));
    assert.equal((await loginAt(tea)).body.userId, userId);
  });

  test('a removed passkey no longer logs in, and removing the last one deletes the recovery codes', async () => {
    const person = await loggedIn(h);
    const { device, added } = await withPasskey(h, person.token);
    const { token } = person;
    const url = `/v1/users/me/passkeys/${added.body.id}` as const;
    const renamed = await h.call('PUT', url, { token, body: { name: 'Old phone' } });
    assert.equal(renamed.body.name, 'Old phone');
    const stranger = await loggedIn(h);
    const headers = fresh(h, stranger.token);
    assert.equal((await h.call('DELETE', url, { token: stranger.token, headers })).status, 404);
    assert.equal((await h.call('DELETE', url, { token })).body.error, 'STEP_UP_REQUIRED');
    const { challenge, ceremony } = await passkeyRequest(h);
    assert.equal((await h.call('DELETE', url, { token, headers: fresh(h, token) })).status, 200);
    refused(await passkeyLogin(challenge, device.get(ceremony)));
    const { body } = await h.call('GET', '/v1/users/me/factors', { token });
    assert.deepEqual(body, { totp: null, passkeys: [], recoveryCodesLeft: 0, hasPassword: true });
    assert.equal((await person.login()).status, 200);
  });
});
