import { signedHeaders } from '../../shared/security/webhook-signing.ts';
import type { CdnPurge } from './port.ts';

const TIMEOUT_MS = 5000;

/** Posts the keys, signed like a webhook, to the operator's endpoint, which translates them for the CDN. */
export const httpPurge = (url: string, secret: string | null): CdnPurge => ({
  async purge({ id, businessId, keys, nowSeconds }) {
    const body = JSON.stringify({ businessId, keys });
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Souk/1',
      ...(secret && signedHeaders([secret], id, nowSeconds, body)),
    };
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`CDN_PURGE_URL responded with status ${response.status}.`);
  },
});
