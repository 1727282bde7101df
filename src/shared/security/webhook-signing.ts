/** Signs calls according to Standard Webhooks: HMAC-SHA256 over ID, timestamp and body. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const newSecret = () => `${PREFIX}${randomBytes(24).toString('base64')}`;

/** Signs with every secret, so that receivers can verify with the old or the new secret during a rotation. */
export function signedHeaders(secrets: readonly string[], id: string, seconds: number, body: string) {
  const signatures = secrets.map((secret) => {
    const key = createSecretKey(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': signatures.join(' ') };
}
