import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { newEmail } from '../people.ts';

const h = await shareHarness({ REGISTRATION: 'invited' });

test('while registration is by invitation only, an unknown email gets the same response but no email', async () => {
  const [known, unknown] = [(await h.user()).email!, newEmail()];
  const answers = await Promise.all(
    [known, unknown].map((email) => h.call('POST', '/v1/users/login/code', { body: { email } })),
  );
  assert.deepEqual(
    answers.map(({ status, body }) => [status, Object.keys(body)]),
    [
      [200, ['challenge']],
      [200, ['challenge']],
    ],
  );
  await h.drain('login-code');
  const to = (await h.mailbox()).map((mail) => mail.to);
  assert.deepEqual([to.includes(known), to.includes(unknown)], [true, false]);
});
