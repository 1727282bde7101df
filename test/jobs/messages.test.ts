import assert from 'node:assert/strict';
import test from 'node:test';
import { mailedToken, newEmail, smsCode } from '../accounts/people.ts';
import { shareHarness } from '../harness.ts';
import { makeNewsletter, ok } from '../newsletters/fixture.ts';

const h = await shareHarness();

/** The data of all jobs of a queue, completed or not, as stored in the table. */
async function storedJobs(queue: string): Promise<string[]> {
  const rows = await h.pool<{ text: string }[]>`select data::text as text from jobs.job where name = ${queue}`;
  return rows.map((row) => row.text);
}

test('the jobs table reveals no code or link in a message', async () => {
  const [phoneNumber, email] = ['+4915112345678', newEmail()];
  const { token } = await h.guest();
  await h.call('POST', '/v1/users/phone-number', { token, body: { phoneNumber } });
  await h.call('POST', '/v1/users/register', { body: { email, password: 'correct-horse-7' } });
  const secrets = { sms: [await smsCode(h, phoneNumber), phoneNumber], mail: [await mailedToken(h, email), email] };
  for (const [queue, words] of Object.entries(secrets)) {
    const stored = await storedJobs(queue);
    assert.equal(stored.length, 1, queue);
    for (const word of words) assert.ok(!stored[0]!.includes(word), `${queue} job shows ${word}`);
  }
});

test('a message of a business is stored as an encrypted task and sent unchanged', async () => {
  const newsletter = await makeNewsletter(h, { settings: { doubleOptIn: true } });
  const email = newEmail();
  await ok(newsletter.subscribe(email));
  const tasks = await h.pool<{ text: string }[]>`
    select data::text as text from tasks where business_id = ${newsletter.businessId} and queue = 'mail'`;
  assert.equal(tasks.length, 1);
  assert.ok(!tasks[0]!.text.includes(email));
  assert.equal((await h.mailbox()).filter(({ to }) => to === email).length, 1);
});
