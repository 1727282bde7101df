/** Loads the context of a conversion: markets, collections and the parameters of the request. */
import type { Db } from '../../../db/sql.ts';
import { type BusinessServices, getBusiness } from '../../businesses/index.ts';
import { type Collection, listCollectionDocs } from '../../content/index.ts';
import type { Conversion, ImportType } from '../formats/format.ts';
import { pages } from '../pages.ts';
import type { ImportOptions } from '../queries.ts';

type Reader = Parameters<typeof getBusiness>[0] & { db: Db; businessId: string; now: number } & BusinessServices;

export async function conversionFor(ctx: Reader, type: ImportType, options: ImportOptions): Promise<Conversion> {
  const { businessId } = ctx;
  const { markets = [] } = (await getBusiness(ctx, businessId)).configs;
  const known = markets.map(({ id, name, currency }) => ({ id, name: name ?? id, currency }));
  const requested = options.market?.toLowerCase();
  const needsCollections = type === 'entries' || type === 'subscribers' || type === 'business';
  const collections = needsCollections ? await listCollections(ctx.db, businessId) : new Map<string, Collection>();
  return {
    businessId,
    markets: known,
    market:
      (requested
        ? known.find(({ id }) => id.toLowerCase() === requested)
        : known.length === 1
          ? known[0]
          : undefined) ?? null,
    collections,
    collection: (options.collectionId && collections.get(options.collectionId)) || null,
    planId: options.planId ?? null,
    consent: options.consent ?? null,
    now: ctx.now,
  };
}

/** By ID and by slug. */
async function listCollections(db: Db, businessId: string): Promise<Map<string, Collection>> {
  const found: Collection[] = [];
  for await (const page of pages((after, limit) => listCollectionDocs(db, businessId, after, limit)))
    found.push(...page);
  return new Map([
    ...found.map((each) => [each.slug, each] as const),
    ...found.map((each) => [each.id, each] as const),
  ]);
}
