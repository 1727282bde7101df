import { violatesUnique } from '../../../db/errors.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { type FieldError, invalid } from '../../../shared/errors.ts';
import { slugCandidates } from '../../../shared/text/slugs.ts';
import { lockSkus, newSkus } from '../stock/queries.ts';
import { listTakenTranslations } from '../translations/queries.ts';
import { slugsOf } from '../translations/translate.ts';
import type { Composed } from './compose.ts';
import { listTaken } from './queries.ts';
import { type Product, RESERVED_SLUGS } from './schemas.ts';

/** Returns the product with a free slug. Throws a 422 that lists every invalid field, including slugs and SKUs in use. */
export async function requireUnique(tx: Tx, composed: Composed): Promise<Product> {
  const { slug, errors } = await findTaken(tx, composed);
  if (errors.length > 0) throw invalid(errors);
  return { ...composed.product, slug: slug! };
}

/** Like `requireUnique`, for a product about to be written: also reserves its new SKUs until the transaction ends. */
export async function reserveUnique(tx: Tx, current: Product | null, composed: Composed): Promise<Product> {
  const { businessId } = composed.product;
  const [, product] = await Promise.all([
    lockSkus(tx, businessId, newSkus(current, composed.product)),
    requireUnique(tx, composed),
  ]);
  return product;
}

/** Finds a free slug and returns it with all errors, including values used by other products. */
export async function findTaken(db: Db, { product, slugGiven, errors }: Composed) {
  const slugs = slugGiven ? [product.slug] : slugCandidates(product.slug).filter((slug) => !RESERVED_SLUGS.has(slug));
  const skus = product.variants.map(({ sku }) => sku).filter((sku) => sku !== '');
  const translations = { kind: 'product', recordId: product.id, slugs: slugsOf(product) } as const;
  const [taken, takenTranslations] = await Promise.all([
    listTaken(db, product.businessId, product.id, slugs, skus),
    translations.slugs.length > 0 ? listTakenTranslations(db, product.businessId, translations) : [],
  ]);
  const found: FieldError[] = [...errors];
  const slug = slugs.find((candidate) => !taken.slugs.has(candidate));
  if (slugGiven && slug === undefined) {
    found.push({ field: 'slug', error: 'DUPLICATE', message: 'slug is already used by another product.' });
  }
  for (const { locale } of takenTranslations) {
    const field = `translations.${locale}.slug`;
    found.push({ field, error: 'DUPLICATE', message: `${field} is already used by another product.` });
  }
  const reported = new Set(errors.map(({ field }) => field));
  for (const [i, { sku }] of product.variants.entries()) {
    const field = `variants[${i}].sku`;
    if (taken.skus.has(sku) && !reported.has(field)) {
      found.push({ field, error: 'DUPLICATE', message: `${field} is already used by another product.` });
    }
  }
  return { slug, errors: found };
}

/** Another write took the slug or SKU between check and write. A retry reports the field or picks another slug. */
export const isTaken = (error: unknown) =>
  ['products_slug', 'stock_sku', 'translated_slugs_pkey'].some((constraint) => violatesUnique(error, constraint));
