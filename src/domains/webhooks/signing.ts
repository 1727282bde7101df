/** Signs calls as Standard Webhooks say: HMAC-SHA256 over id, time and body. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const newSecret = () => `${PREFIX}${randomBytes(24).toString('base64')}`;

/** With each of the secrets, so that a receiver may know either while one is replaced. */
export function signedHeaders(secrets: readonly string[], id: string, seconds: number, body: string) {
  const signatures = secrets.map((secret) => {
    const key = createSecretKey(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': signatures.join(' ') };
}
