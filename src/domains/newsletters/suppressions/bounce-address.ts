import { createSigner } from '../../../shared/security/signing.ts';
import { emailKey } from '../../../shared/text/email.ts';

/** Mail servers may change the case of an address, so tokens are in lower case. */
const BASE = 32;
const TIME_CHARACTERS = 7;
const SIGNATURE_BYTES = 12;
const SIGNATURE_CHARACTERS = SIGNATURE_BYTES * 2;
const MAX_LOCAL_PART = 64;
const COMPLAINTS = 'complaints';

type BounceToken = { token: string; businessId: string; atSeconds: number };

/**
 * Envelope senders such as `bounce+<business><time><signature>@bounces.example`. The signature covers the recipient, so a token
 * proves that the business sent an email to this address at this time, and nothing about any other address.
 */
export function createBounceAddresses(key: Buffer, domain: string, nowSeconds: () => number) {
  const signer = createSigner(key, SIGNATURE_BYTES);
  const sign = (businessId: string, atSeconds: number, to: string) =>
    signer.digest(`${businessId} ${atSeconds} ${emailKey(to)}`).toString('hex');

  /** Null if it is not one of our addresses. The token is not verified yet. */
  function read(address: string): BounceToken | null {
    const [, token, host] = /^bounce\+([a-z0-9_]{33,57})@(.+)$/.exec(address.toLowerCase()) ?? [];
    if (!token || host !== domain) return null;
    const end = token.length - SIGNATURE_CHARACTERS;
    const time = token.slice(end - TIME_CHARACTERS, end);
    const atSeconds = Number.parseInt(time, BASE);
    return { token, businessId: `biz_${token.slice(0, end - TIME_CHARACTERS)}`, atSeconds };
  }

  return {
    /** Undefined if the ID of the business is too long for an address. */
    addressOf(businessId: string, to: string): string | undefined {
      const [, id] = /^biz_([a-z0-9]+)$/.exec(businessId) ?? [];
      const atSeconds = nowSeconds();
      const time = atSeconds.toString(BASE).padStart(TIME_CHARACTERS, '0');
      const local = `bounce+${id}${time}${sign(businessId, atSeconds, to)}`;
      return id && local.length <= MAX_LOCAL_PART ? `${local}@${domain}` : undefined;
    },
    read,
    /** Whether mail servers can send reports to this address. */
    accepts: (address: string) => address.toLowerCase() === `${COMPLAINTS}@${domain}` || read(address) !== null,
    verify: ({ token, businessId, atSeconds }: BounceToken, to: string) =>
      signer.verifyDigest(
        `${businessId} ${atSeconds} ${emailKey(to)}`,
        Buffer.from(token.slice(-SIGNATURE_CHARACTERS), 'hex'),
      ),
  };
}

export type BounceAddresses = ReturnType<typeof createBounceAddresses>;
