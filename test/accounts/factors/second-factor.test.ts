import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { codeAt, findStep, stepAt } from '../../../src/domains/accounts/factors/totp.ts';
import { resetFactors } from '../../../src/domains/accounts/index.ts';
import { shareHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';
import { fresh, loggedIn, login, secondFactor, withTotp } from './steps.ts';

suite('Authenticator apps', () => {
  test('codes match the test vectors of RFC 6238', () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const vectors: [seconds: number, code: string][] = [
      [59, '94287082'],
      [1_111_111_109, '07081804'],
      [1_111_111_111, '14050471'],
      [1_234_567_890, '89005924'],
      [2_000_000_000, '69279037'],
      [20_000_000_000, '65353130'],
    ];
    for (const [seconds, code] of vectors) assert.equal(codeAt(secret, stepAt(seconds), 8), code);
  });

  test('a phone clock may be one step off, but not two', () => {
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const now = 1_800_000_000;
    for (const skew of [-1, 0, 1]) {
      assert.equal(findStep(secret, codeAt(secret, stepAt(now) + skew), now), stepAt(now) + skew);
    }
    for (const skew of [-2, 2]) assert.equal(findStep(secret, codeAt(secret, stepAt(now) + skew), now), null);
  });
});

suite('Second factor at login', async () => {
  const h = await shareHarness();
  const me = (token: string) => h.call('GET', '/v1/users/me', { token });

  test('a login with a second factor fails with 401 and a challenge, which a code completes once', async () => {
    const person = await loggedIn(h);
    const app = await withTotp(h, person.token);
    app.nextStep();
    const requested = await login(h, person.email);
    assert.equal(requested.status, 401);
    assert.equal(requested.body.error, 'SECOND_FACTOR_REQUIRED');
    assert.deepEqual(requested.body.methods, ['TOTP', 'RECOVERY_CODE']);
    assert.equal(requested.body.details[0]?.field, 'challenge');
    const challenge = requested.body.challenge!;
    const wrong = await secondFactor(h, challenge, 'TOTP', { code: '000000' });
    assert.equal(wrong.body.details[0]?.error, 'CODE_INVALID');
    const code = app.code();
    const done = await secondFactor(h, challenge, 'TOTP', { code });
    assert.equal(done.status, 200);
    assert.equal((await me(done.body.accessToken)).status, 200);
    // Neither the challenge nor the code works again.
    app.nextStep();
    const again = await secondFactor(h, challenge, 'TOTP', { code: app.code() });
    assert.equal(again.body.details[0]?.error, 'CHALLENGE_INVALID');
    const other = (await login(h, person.email)).body.challenge!;
    assert.equal((await secondFactor(h, other, 'TOTP', { code })).body.details[0]?.error, 'CODE_INVALID');
  });

  test('one code used by two concurrent logins starts one session', async () => {
    const person = await loggedIn(h);
    const app = await withTotp(h, person.token);
    app.nextStep();
    const challenges = [await login(h, person.email), await login(h, person.email)].map(({ body }) => body.challenge!);
    const answers = await Promise.all(challenges.map((each) => secondFactor(h, each, 'TOTP', { code: app.code() })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422]);
  });

  test('a challenge is void after a password change, after ten minutes, and if it is altered', async () => {
    const person = await loggedIn(h);
    const app = await withTotp(h, person.token);
    app.nextStep();
    const { challenge } = (await login(h, person.email)).body;
    const altered = `${challenge!.slice(0, -2)}${challenge!.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const each of [altered, 'v1.', 'x']) {
      const answer = await secondFactor(h, each, 'TOTP', { code: app.code() });
      assert.equal(answer.body.details[0]?.error, 'CHALLENGE_INVALID');
    }
    const body = { oldPassword: person.password, newPassword: 'another-horse-8' };
    assert.equal((await h.call('POST', '/v1/users/reset-password', { token: person.token, body })).status, 200);
    const answer = await secondFactor(h, challenge!, 'TOTP', { code: app.code() });
    assert.equal(answer.body.details[0]?.error, 'CHALLENGE_INVALID');
    const late = (await login(h, person.email, 'another-horse-8')).body.challenge!;
    h.clock.advance(601);
    const expired = await secondFactor(h, late, 'TOTP', { code: app.code() });
    assert.equal(expired.body.details[0]?.error, 'CHALLENGE_INVALID');
  });

  test('each recovery code works once, even while codes from the app are locked', async () => {
    const person = await loggedIn(h);
    const app = await withTotp(h, person.token);
    assert.equal(app.recoveryCodes.length, 10);
    const { challenge } = (await login(h, person.email)).body;
    const guesses: number[] = [];
    for (let i = 0; i < 12; i++)
      guesses.push((await secondFactor(h, challenge!, 'TOTP', { code: `00000${i % 10}` })).status);
    assert.deepEqual(guesses.slice(-2), [429, 429]);
    app.nextStep();
    assert.equal((await secondFactor(h, challenge!, 'TOTP', { code: app.code() })).status, 429);
    const [code] = app.recoveryCodes;
    const done = await secondFactor(h, challenge!, 'RECOVERY_CODE', { code: ` ${code!.toUpperCase()}` });
    assert.equal(done.status, 200);
    const next = (await login(h, person.email)).body.challenge!;
    const reused = await secondFactor(h, next, 'RECOVERY_CODE', { code });
    assert.equal(reused.body.details[0]?.error, 'CODE_INVALID');
    const mails = (await h.mailbox()).filter(({ to }) => to === person.email);
    assert.ok(mails.some((mail) => mail.kind === 'mail' && mail.subject === 'Recovery code used'));
  });

  test('strangers who do not know the password cannot use up the attempts of an account', async () => {
    const person = await loggedIn(h);
    const app = await withTotp(h, person.token);
    const stranger = await loggedIn(h);
    const strange = await withTotp(h, stranger.token);
    strange.nextStep();
    const { challenge } = (await login(h, stranger.email)).body;
    for (let i = 0; i < 12; i++) await secondFactor(h, challenge!, 'TOTP', { code: '000000' });
    const own = (await login(h, person.email)).body.challenge!;
    assert.equal((await secondFactor(h, own, 'TOTP', { code: app.code() })).status, 200);
  });

  test('adding the first factor ends sessions that began without one, even those that begin at the same time', async () => {
    const person = await loggedIn(h);
    const others = await Promise.all([person.login(), person.login()]);
    const setup = await h.call('POST', '/v1/users/me/totp', { token: person.token, headers: fresh(h, person.token) });
    const code = codeAt(setup.body.secret, stepAt(h.clock.seconds()));
    const [confirmed, ...racing] = await Promise.all([
      h.call('POST', '/v1/users/me/totp/confirm', { token: person.token, body: { code } }),
      ...Array.from({ length: 6 }, () => person.login()),
    ]);
    assert.equal(confirmed.status, 200);
    for (const { status, body } of [...others, ...racing]) {
      if (status === 200) assert.equal((await me(body.accessToken)).status, 401);
      else assert.equal(body.error, 'SECOND_FACTOR_REQUIRED');
    }
    assert.equal((await me(person.token)).status, 200);
  });

  test('factors are added and removed only after a step-up in the same session', async () => {
    const person = await loggedIn(h);
    const { token } = person;
    const refused = await h.call('POST', '/v1/users/me/totp', { token });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.error, 'STEP_UP_REQUIRED');
    assert.deepEqual(refused.body.methods, ['PASSWORD']);
    const { challenge } = refused.body;
    const wrong = { challenge, method: 'PASSWORD', password: 'wrong-password-1' };
    assert.equal((await h.call('POST', '/v1/users/me/step-up', { token, body: wrong })).status, 422);
    const proof = { challenge, method: 'PASSWORD', password: person.password };
    const stepUp = await h.call('POST', '/v1/users/me/step-up', { token, body: proof });
    assert.equal(stepUp.status, 200);
    const headers = { 'souk-step-up': stepUp.body.token };
    const other = (await person.login()).body.accessToken;
    assert.equal((await h.call('POST', '/v1/users/me/totp', { token: other, headers })).status, 403);
    assert.equal((await h.call('POST', '/v1/users/me/totp', { token, headers })).status, 200);
    const again = await h.call('POST', '/v1/users/me/step-up', { token, body: proof });
    assert.equal(again.body.details[0]?.error, 'CHALLENGE_INVALID');
    const app = await withTotp(h, token);
    h.clock.advance(301);
    // The password no longer counts once there is a second factor.
    const removal = await h.call('DELETE', '/v1/users/me/totp', { token, headers });
    assert.deepEqual(removal.body.methods, ['TOTP', 'RECOVERY_CODE']);
    const byPassword = { challenge: removal.body.challenge, method: 'PASSWORD', password: person.password };
    assert.equal((await h.call('POST', '/v1/users/me/step-up', { token, body: byPassword })).status, 400);
    const byCode = { challenge: removal.body.challenge, method: 'TOTP', code: app.code() };
    const proved = await h.call('POST', '/v1/users/me/step-up', { token, body: byCode });
    const removed = await h.call('DELETE', '/v1/users/me/totp', {
      token,
      headers: { 'souk-step-up': proved.body.token },
    });
    assert.equal(removed.status, 200);
    assert.equal((await person.login()).status, 200);
  });

  test("the operator's reset removes the factors and ends the sessions on every process", async () => {
    const person = await loggedIn(h);
    await withTotp(h, person.token);
    const node = await h.secondNode();
    assert.equal((await node.call('GET', '/v1/users/me', { token: person.token })).status, 200);
    await h.service.contexts.system().transaction((ctx) => resetFactors(ctx as never, person.email));
    const status = await eventually('the other process ends the session', async () => {
      const me = await node.call('GET', '/v1/users/me', { token: person.token });
      return me.status !== 200 && me.status;
    });
    assert.equal(status, 401);
    assert.equal((await person.login()).status, 200);
  });
});
