/** Businesses for other domains: from memory, or else read on the handle of `ctx`, so also inside a transaction. */
import type { Db } from '../../db/sql.ts';
import { notFound } from '../../shared/errors.ts';
import type { BusinessServices } from './context.ts';
import { type BusinessRow, findBusiness } from './queries.ts';
import type { ProviderSecrets } from './vault.ts';

type Reader = { db: Db } & BusinessServices;

/** Null: there is none, or it was deleted. */
export const findBusinessById = ({ db, businesses }: Reader, id: string): Promise<BusinessRow | null> =>
  businesses.cache.get(id, () => findBusiness(db, id));

/** With its settings; secrets are sealed. */
export async function getBusiness(ctx: Reader, id: string): Promise<BusinessRow> {
  const business = await findBusinessById(ctx, id);
  if (!business) throw notFound('Business');
  return business;
}

/** From memory without a promise where that can be. */
export function businessExists(ctx: Reader, id: string): boolean | Promise<boolean> {
  return ctx.businesses.cache.peek(id) !== undefined || findBusinessById(ctx, id).then((business) => business !== null);
}

/** Unsealed, for calls to the payment provider. Never for an answer. */
export async function providerSecrets(ctx: Reader, businessId: string): Promise<ProviderSecrets> {
  return ctx.businesses.vault.secrets(businessId, (await getBusiness(ctx, businessId)).configs);
}
