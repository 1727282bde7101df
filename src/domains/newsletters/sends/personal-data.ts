/** Personal data in deliveries. Erasure keeps the deliveries and their statuses, but removes the name and address. */
import Type, { type Static } from 'typebox';
import type { PersonalDataHolder } from '../../../context/personal-data.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { Id, Nullable, Timestamp } from '../../../shared/schemas.ts';
import { listSubscriptionsOfPerson } from '../subscriptions/personal-queries.ts';

const PAGE = 200;

const Sent = Type.Object({
  sendId: Id,
  email: Type.String(),
  name: Type.String(),
  status: Type.String(),
  updatedAt: Timestamp,
  openedAt: Nullable(Timestamp),
  clickedAt: Nullable(Timestamp),
});

/** Each batch covers one send, because deliveries are only indexed by send. */
export const deliveryData: PersonalDataHolder = {
  name: 'deliveries',
  record: Sent,
  // A business with deliveries to a person also has, or once had, a subscription for them, so there is no need to search deliveries.
  businessesOf: async () => [],
  async list({ db, businessId }, person, after) {
    const subscriptions = (await listSubscriptionsOfPerson(db, businessId, person)).map(({ id }) => id);
    const sends = await listSends(db, businessId, after, PAGE);
    const items = await db<Static<typeof Sent>[]>`
      select send_id, email, name, status, updated_at, opened_at, clicked_at from deliveries
      where business_id = ${businessId} and send_id = any(${sends}) and subscription_id = any(${subscriptions})
      order by send_id`;
    return { items, next: sends.length < PAGE ? null : sends.at(-1)! };
  },
  async erase({ db: tx, businessId }, { emails }, after) {
    const [send] = await listSends(tx, businessId, after, 1);
    if (send === undefined) return { erased: 0, entities: [], next: null };
    return { erased: await eraseRecipients(tx, businessId, send, emails), entities: [], next: send };
  },
};

async function listSends(db: Db, businessId: string, after: string | null, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from sends where business_id = ${businessId} and automation_id is null and (${after}::text is null or id > ${after})
    order by id limit ${limit}`;
  return rows.map((row) => row.id);
}

async function eraseRecipients(tx: Tx, businessId: string, sendId: string, emails: readonly string[]): Promise<number> {
  const rows = await tx`
    update deliveries set email = '', name = '', error = null, opened_at = null, clicked_at = null
    where business_id = ${businessId} and send_id = ${sendId} and lower(email) = any(${emails as string[]})
    returning 1`;
  return rows.length;
}
