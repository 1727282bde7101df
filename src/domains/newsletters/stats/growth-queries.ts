import type { Db, Fragment, Tx } from '../../../db/sql.ts';

type Kind = 'JOINED' | 'CONFIRMED' | 'LEFT';

/** A statement, or part of one, that counts a change to each of these subscriptions. `rows` is the name of a query. */
export const insertChanges = (tx: Tx, rows: string, kind: Kind | Fragment, atSeconds: number) => tx`
  insert into subscription_changes (business_id, collection_id, at, kind)
  select business_id, collection_id, ${atSeconds}::bigint, ${kind} from ${tx(rows)}`;

type Imported = { collectionId: string; createdAt: number; status: string };

/** Imported subscriptions count at the time they were created. */
export const insertImportedChanges = (tx: Tx, businessId: string, rows: readonly Imported[]) => {
  const changes = rows.flatMap(({ collectionId, createdAt, status }) => [
    { collectionId, createdAt, kind: 'JOINED' },
    ...(status === 'ACTIVE' || status === 'PAST_DUE' ? [{ collectionId, createdAt, kind: 'CONFIRMED' }] : []),
  ]);
  return tx`
    insert into subscription_changes (business_id, collection_id, at, kind)
    select ${businessId}, c.collection_id, c.at, c.kind
    from unnest(${changes.map((each) => each.collectionId)}::text[], ${changes.map((each) => each.createdAt)}::bigint[],
      ${changes.map(({ kind }) => kind)}::text[]) as c (collection_id, at, kind)`;
};

type GrowthRow = { at: number; joined: number; confirmed: number; left: number };

/** Days with changes, in the time zone of the business. */
export const listGrowth = (
  db: Db,
  businessId: string,
  { collectionId, from, to, timeZone }: { collectionId: string; from: number; to: number; timeZone: string },
) => db<GrowthRow[]>`
  select extract(epoch from date_trunc('day', to_timestamp(at), ${timeZone}))::bigint as at,
    count(*) filter (where kind = 'JOINED')::int as joined, count(*) filter (where kind = 'CONFIRMED')::int as confirmed,
    count(*) filter (where kind = 'LEFT')::int as left
  from subscription_changes
  where business_id = ${businessId} and collection_id = ${collectionId} and at >= ${from} and at < ${to}
  group by 1 order by 1`;
