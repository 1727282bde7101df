import type { Db } from '../../../../db/sql.ts';
import type { Caller } from '../../../../shared/security/caller.ts';
import { emailKey } from '../../../../shared/text/email.ts';
import { listAgreementsFor, listLapsed } from '../../../payments/index.ts';
import { listActiveOf, type SubscriptionRow } from '../queries.ts';

type Reader = { db: Db; caller: Caller; businessId: string; now: number };

/** The plans that the caller uses now in these newsletters, by their account or confirmed address. */
export async function findActivePlans(
  { db, caller, businessId, now }: Reader,
  collectionIds: string[],
): Promise<{ collectionId: string; planId: string }[]> {
  const { userId, email, isConfirmed } = caller;
  const key = isConfirmed && email !== null ? emailKey(email) : null;
  return withoutEnded(db, await listActiveOf(db, businessId, { collectionIds, userId, emailKey: key }), now);
}

/** Leaves out plans whose last paid period is over, even if the provider has not reported the end yet. */
export async function withoutEnded<Row extends Pick<SubscriptionRow, 'businessId' | 'id' | 'planId'>>(
  db: Db,
  rows: readonly Row[],
  now: number,
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const agreements = await listAgreementsFor(
    db,
    rows[0]!.businessId,
    rows.map(({ id }) => `${id}/`),
  );
  return rows.filter(({ id, planId }) => {
    const current = agreements.filter(
      ({ reference, status }) => status !== 'ENDED' && `${reference}/`.startsWith(`${id}/${planId}/`),
    );
    return current.length === 0 || current.some(({ wanted, periodEnd }) => wanted === 'RENEW' || periodEnd > now);
  });
}

/** The plans that `withoutEnded` leaves out, each as `subscriptionId/planId`. */
export async function listEnded(db: Db, businessId: string, now: number): Promise<string[]> {
  const lapsed = (await listLapsed(db, businessId, now)).map((reference) => {
    const [id = '', planId = ''] = reference.split('/');
    return { businessId, id, planId };
  });
  const current = new Set(await withoutEnded(db, lapsed, now));
  return lapsed.filter((row) => !current.has(row)).map(({ id, planId }) => `${id}/${planId}`);
}
