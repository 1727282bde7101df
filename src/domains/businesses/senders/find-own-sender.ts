import type { Db } from '../../../db/sql.ts';
import type { OwnSender } from '../../../providers/mail/port.ts';
import type { BusinessServices } from '../context.ts';
import { findSender } from './queries.ts';

type Reader = { db: Db } & BusinessServices;

/** The sender address of a business and its key, from the cache. Null if it has none, or its domain is not verified. */
export async function findOwnSender({ db, businesses }: Reader, businessId: string): Promise<OwnSender | null> {
  const { known, openKey } = businesses.senders;
  const found = await known.get(businessId, async () => {
    const row = await findSender(db, businessId);
    if (!row || row.provedAt === null) return { businessId, own: null };
    const { address, domain, selector } = row;
    return { businessId, own: { address, dkim: { domain, selector, privateKey: openKey(row) } } };
  });
  return found?.own ?? null;
}
