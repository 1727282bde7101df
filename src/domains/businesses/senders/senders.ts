/** Sender addresses of businesses, and the keys that sign for them. */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Platform } from '../../../context/index.ts';
import { type Cache, createCache } from '../../../db/broadcast.ts';
import type { OwnSender } from '../../../providers/mail/port.ts';
import { mailDomain, senderOf } from '../../../providers/mail/sender.ts';
import { createReadTxt } from '../../../providers/outbound/txt.ts';
import { newId } from '../../../shared/ids.ts';
import { deriveKey, seal, unseal } from '../../../shared/security/secrets.ts';
import { createSigner } from '../../../shared/security/signing.ts';
import { businessSubject } from '../context.ts';
import { type Found, parentPolicies, recordNames, recordsOf } from './dns-records.ts';
import type { SenderRow } from './queries.ts';

/** Keeps a hostile name server from filling the database. */
const MAX_RECORDS = 10;
const MAX_RECORD_CHARACTERS = 1000;
const MAX_CACHED = 5000;
const MODULUS_BITS = 2048;

const createKeyPair = promisify(generateKeyPair);

type Key = Pick<SenderRow, 'businessId' | 'domain' | 'selector' | 'privateKey'>;

export function createSenders({ broadcast, config }: Pick<Platform, 'broadcast' | 'config'>) {
  const sealing = deriveKey(config.secretKey, 'dkim');
  const signer = createSigner(deriveKey(config.secretKey, 'mail-domains'), 16);
  const readTxt = createReadTxt(config.dnsServers);
  const purpose = ({ businessId, domain, selector }: Omit<Key, 'privateKey'>) => `${businessId}/${domain}/${selector}`;
  const proofOf = (businessId: string, domain: string) => `souk-mail=${signer.sign(`${businessId} ${domain}`)}`;
  const known: Cache<{ businessId: string; own: OwnSender | null }> = createCache(broadcast, {
    subjectOf: ({ businessId }) => businessSubject(businessId),
    maxEntries: MAX_CACHED,
  });

  async function findRecords(name: string): Promise<string[] | null> {
    const found = await readTxt(name);
    return found?.slice(0, MAX_RECORDS).map((text) => text.slice(0, MAX_RECORD_CHARACTERS)) ?? null;
  }

  return {
    /** Verified senders by business. */
    known,
    /** The sender of emails for businesses without their own address. */
    serviceAddress: senderOf(config.mailFrom).address,
    /** A new key pair with its own selector, so that a replaced key still verifies delivered emails. */
    async createKey(businessId: string, domain: string) {
      const pair = await createKeyPair('rsa', {
        modulusLength: MODULUS_BITS,
        publicKeyEncoding: { type: 'spki', format: 'der' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      });
      const selector = `souk${newId('key').slice(-8)}`;
      const privateKey = seal(sealing, pair.privateKey, purpose({ businessId, domain, selector }));
      return { selector, publicKey: pair.publicKey.toString('base64'), privateKey };
    },
    openKey: (row: Key): string => unseal(sealing, row.privateKey, purpose(row)),
    recordsOf: (row: SenderRow) =>
      recordsOf({
        ...row,
        proof: proofOf(row.businessId, row.domain),
        serviceDomain: mailDomain(config.mailFrom).toLowerCase(),
      }),
    /** Looks up all records of a domain at once. */
    async lookUp(row: Pick<SenderRow, 'domain' | 'selector'>): Promise<Found> {
      const names = Object.entries(recordNames(row));
      const found: Found = Object.fromEntries(
        await Promise.all(names.map(async ([key, name]) => [key, await findRecords(name)])),
      );
      for (const parent of parentPolicies(row.domain)) {
        if (found.DMARC?.length !== 0) break;
        found.DMARC = await findRecords(parent);
      }
      return found;
    },
  };
}

export type Senders = ReturnType<typeof createSenders>;
