/** Cached business lookups for other domains. A cache miss reads through `ctx.db`, so they also work inside a transaction. */
import type { Db } from '../../db/sql.ts';
import { notFound } from '../../shared/errors.ts';
import type { BusinessServices } from './context.ts';
import { type BusinessRow, findBusiness, findBusinessBySlug } from './queries.ts';
import type { ProviderSecrets } from './vault.ts';

type Reader = { db: Db } & BusinessServices;

/** Null if the business doesn't exist or was deleted. */
export const findBusinessById = ({ db, businesses }: Reader, id: string): Promise<BusinessRow | null> =>
  businesses.cache.get(id, () => findBusiness(db, id));

/** Null if no business has this slug. */
export const findBySlug = ({ db, businesses }: Reader, slug: string): Promise<BusinessRow | null> =>
  businesses.bySlug.get(slug, () => findBusinessBySlug(db, slug));

/** Includes the settings. Their secrets are encrypted. */
export async function getBusiness(ctx: Reader, id: string): Promise<BusinessRow> {
  const business = await findBusinessById(ctx, id);
  if (!business) throw notFound('Business');
  return business;
}

/** Returns synchronously if the business is cached. */
export function businessExists(ctx: Reader, id: string): boolean | Promise<boolean> {
  return ctx.businesses.cache.peek(id) !== undefined || findBusinessById(ctx, id).then((business) => business !== null);
}

/** Decrypted secrets for calls to the payment provider. Never put them in a response. */
export async function providerSecrets(ctx: Reader, businessId: string): Promise<ProviderSecrets> {
  return ctx.businesses.vault.secrets(businessId, (await getBusiness(ctx, businessId)).configs);
}
