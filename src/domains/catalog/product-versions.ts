import type { StepsOf, Versioned } from '../../context/index.ts';
import { type PreparedTexts, prepareTexts } from '../../shared/blocks.ts';
import { notFound } from '../../shared/errors.ts';
import { answered } from '../../shared/own-addresses.ts';
import { findUsedMedia, mapMedia } from '../media/index.ts';
import { authorOf, type Current, findVersion, formerOf, versionReads } from '../publishing/index.ts';
import { contentOf, mediaIdsOf } from './compose.ts';
import type { CatalogServices, Command, Query } from './context.ts';
import { parseDocument } from './document.ts';
import { findProductId } from './queries.ts';
import { getForStaff } from './save-draft.ts';
import type { Product, ProductChanges } from './schemas.ts';
import { compose, type LockedProduct, lockForChange, saveProduct } from './write-product.ts';

async function currentProduct(ctx: Query, idOrSlug: string): Promise<Current> {
  const { product, version, doc } = await getForStaff(ctx, idOrSlug);
  const parse = (text: string) => withoutQuantities(answered(parseDocument(text, '{}'), ctx.publicUrl()));
  return { entity: `product:${product.id}`, ...formerOf(Number.parseInt(version, 10), product), doc, parse };
}

const withoutQuantities = ({ variants, ...product }: Product) => ({
  ...product,
  variants: variants.map(({ inventory: { quantity: _, ...inventory }, ...variant }) => ({ ...variant, inventory })),
});

export const productVersions = versionReads(currentProduct);

type Restore = { id: string; number: number };

/**
 * The content of a former version as a change of today: checked as one, a version of its own, and public if the product is. Stock
 * stays: a variant that is there keeps its quantity, and one that comes back begins with none.
 */
export const restoreProduct: StepsOf<
  CatalogServices,
  Restore,
  PreparedTexts,
  Versioned<Product>,
  Versioned<Product>
> = {
  async prepare(ctx, { id: idOrSlug, number }) {
    const id = await findProductId(ctx.db, ctx.businessId, idOrSlug);
    const former = id && (await findVersion(ctx.db, ctx.businessId, `product:${id}`, number));
    return prepareTexts(former && parseDocument(former.doc, '{}').blocks);
  },
  async execute(ctx, { id: idOrSlug, number }, { sanitize }) {
    const locked = await lockForChange(ctx, idOrSlug);
    ctx.checkVersion(locked.row.version);
    const { product: current } = locked;
    const former = await findVersion(ctx.db, ctx.businessId, `product:${current.id}`, number);
    if (!former && number === locked.row.version) return unchanged(ctx, locked);
    if (!former) throw notFound('Version');
    const changes = await restored(ctx, parseDocument(former.doc, '{}'));
    const composed = await compose(ctx, { current, id: current.id, changes, caller: ctx.caller, sanitize });
    return saveProduct(ctx, locked, composed, { action: 'RESTORED', restoredFrom: number, ...authorOf(ctx.caller) });
  },
};

/** The version that a product has now is not stored before its content changes. */
const unchanged = (ctx: Command, { row, product }: LockedProduct): Versioned<Product> => ({
  record: answered(product, ctx.publicUrl()),
  version: `${row.version}.${row.stockVersion}`,
});

/** Without quantities, and without files of the library that were deleted since. */
async function restored(ctx: Command, former: Product): Promise<ProductChanges> {
  const living = await findUsedMedia(ctx, mediaIdsOf(former));
  const isThere = (item: { id?: string }) => !('hash' in item) || living.has(item.id ?? '');
  const variants = former.variants.map(({ gallery, inventory: { quantity: _, ...inventory }, ...variant }) => ({
    ...{ ...variant, inventory: { lowStockThreshold: null, ...inventory } },
    ...(gallery ? { gallery: gallery.filter(isThere) } : {}),
  }));
  const gallery = former.gallery.filter(isThere);
  const blocks = mapMedia(former.blocks, (item) => (isThere(item) ? item : null));
  return { ...contentOf(former), gallery, variants, blocks };
}
