import { invalidField } from '../../../shared/errors.ts';
import { getBusiness } from '../../businesses/index.ts';
import type { Query } from '../context.ts';
import { getNewsletter } from '../subscriptions/joining/subscribe.ts';
import { countActive } from '../subscriptions/queries.ts';
import { listGrowth } from './growth-queries.ts';
import type { Growth, GrowthQuery } from './schemas.ts';

const DAY_SECONDS = 86_400;
const MAX_DAYS = 800;

/** How many people joined and left a newsletter, by day. Defaults to the last 30 days. */
export async function readGrowth(ctx: Query, query: GrowthQuery & { id: string }): Promise<Growth> {
  const { db, replica, businessId, now } = ctx;
  const { to = now + 1 } = query;
  const from = query.from ?? Math.max(0, to - 30 * DAY_SECONDS);
  if (from > to) throw invalidField('from', 'OUT_OF_RANGE', '`from` must not be later than `to`.');
  if (to - from > MAX_DAYS * DAY_SECONDS) {
    throw invalidField('from', 'OUT_OF_RANGE', `The period must be at most ${MAX_DAYS} days long.`);
  }
  const { id: collectionId } = await getNewsletter(db, businessId, query.id);
  const { timeZone = 'UTC' } = (await getBusiness(ctx, businessId)).configs.profile ?? {};
  const [days, active] = await Promise.all([
    listGrowth(replica, businessId, { collectionId, from, to, timeZone }),
    countActive(replica, businessId, collectionId, {}),
  ]);
  return { from, to, timeZone, active, days: [...days] };
}
