import { isIP } from 'node:net';
import { invalidField } from '../../../shared/errors.ts';
import type { Query } from '../context.ts';

/** A passkey belongs to the host name that it was created on. `origin` is the requesting site. */
export type RelyingParty = { rpId: string; origin: string };

/** The site in the `Origin` header or, without the header, the service's own URL. Throws 422 if the site is not one of ours. */
export function relyingParty(
  { origins, publicUrl, config }: Pick<Query, 'origins' | 'publicUrl' | 'config'>,
  sent: string | undefined,
): RelyingParty {
  const origin = sent ?? new URL(publicUrl()).origin;
  const rpId = URL.parse(origin)?.hostname ?? '';
  const isLocal = !config.production && rpId === 'localhost';
  if (!isLocal && !origins.isSite(origin)) {
    throw invalidField(
      'origin',
      'INVALID_ORIGIN_URI',
      'The site must be one of the allowed origins or a storefront host.',
    );
  }
  if (isIP(rpId.replace(/^\[|\]$/g, '')) !== 0) {
    const message = 'Passkeys need a host name. Use a domain or, in development, localhost instead of an IP address.';
    throw invalidField('origin', 'INVALID_ORIGIN_URI', message);
  }
  return { rpId, origin };
}
