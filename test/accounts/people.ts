import { randomUUID } from 'node:crypto';
import type { Harness } from '../harness.ts';

export const GOOD_PASSWORD = 'correct-horse-7';

/** The token in the newest email to this address. */
export async function mailedToken(h: Harness, email: string): Promise<string> {
  await h.drain('forgot-password');
  const mail = (await h.mailbox()).find((message) => message.kind === 'mail' && message.to === email);
  if (mail?.kind !== 'mail') throw new Error(`No email to ${email}.`);
  return /token=([\w.-]+)/.exec(mail.text)![1]!;
}

/** The code in the newest SMS to this number. */
export async function smsCode(h: Harness, phoneNumber: string): Promise<string> {
  const sms = (await h.mailbox()).find((message) => message.kind === 'sms' && message.to === phoneNumber);
  if (sms?.kind !== 'sms') throw new Error(`No SMS to ${phoneNumber}.`);
  return /\d{6}/.exec(sms.body)![0]!;
}

export const newEmail = () => `${randomUUID()}@example.com`;

/** Registers a user and confirms the email. */
export async function registered(h: Harness, email = newEmail(), password = GOOD_PASSWORD) {
  await h.call('POST', '/v1/users/register', { body: { provider: 'EMAIL_REGISTER', email, password } });
  await h.call('PUT', '/v1/users/confirm', { body: { token: await mailedToken(h, email) } });
  const login = () => h.call('POST', '/v1/users/login', { body: { provider: 'EMAIL', email, password } });
  return { email, password, login };
}

/** Invites this email to a new business and returns the token. */
export async function invited(h: Harness, email: string): Promise<string> {
  const businessId = await h.business();
  const { token } = await h.member(businessId, 'ADMIN');
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${businessId}`, { token });
  const body = { email, roleIds: [roles.items[0]!.id] };
  await h.call('POST', `/v1/businesses/${businessId}/invitation`, { token, body });
  return mailedToken(h, email);
}
