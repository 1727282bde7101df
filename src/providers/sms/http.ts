import type { SmsSender } from './port.ts';

const TIMEOUT_MS = 10_000;

/** Posts `{to, body}` as JSON to the operator's own gateway. */
export function httpSms(url: string): SmsSender {
  return {
    async send({ to, body }) {
      await post(url, { 'content-type': 'application/json' }, JSON.stringify({ to, body }));
    },
  };
}

/** `twilio://SID:TOKEN@FROM`; `?base=` sets another API URL, for tests. */
export function twilioSms(url: string): SmsSender {
  const { username, password, hostname, host, searchParams } = new URL(url);
  const from = decodeURIComponent(host || hostname);
  const base = searchParams.get('base') ?? 'https://api.twilio.com';
  const address = `${base}/2010-04-01/Accounts/${username}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  return {
    async send({ to, body }) {
      await post(
        address,
        { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams({ To: to, From: from, Body: body }).toString(),
      );
    },
  };
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The SMS gateway responded with ${response.status}`);
}
