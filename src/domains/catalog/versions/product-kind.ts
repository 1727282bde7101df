import { AS_IS } from '../../../shared/blocks/index.ts';
import type { Media } from '../../../shared/schemas.ts';
import { may } from '../../../shared/security/caller.ts';
import { mapMedia, type RefreshUser } from '../../media/index.ts';
import { DRAFT_STATUS_ERROR, type RecordKind, type ReplaceMedia, refreshMedia } from '../../publishing/index.ts';
import type { Command, Query } from '../context.ts';
import { settlePrices } from '../prices/price-history.ts';
import { changesTo, contentOf } from '../products/compose.ts';
import { mediaIdsOf } from '../products/compose-media.ts';
import { richTextsOf } from '../products/compose-texts.ts';
import { publicProductResponse } from '../products/product-responses.ts';
import {
  existingProducts,
  type FoundProduct,
  findProduct,
  findProductId,
  lockProduct,
  updateDraft,
  updateProduct,
} from '../products/queries.ts';
import { compose, newlyLowVariants, updateDetails } from '../products/save-product.ts';
import { PRODUCT_STATUSES, type Product, type ProductChanges } from '../products/schemas.ts';
import { showProduct } from '../products/show-product.ts';
import { storedProduct, withDefaults } from '../products/stored-product.ts';
import { requireUnique, reserveUnique } from '../products/unique.ts';

/** Products. Stock is not versioned: drafts and restores don't affect quantities. */
export const productKind: RecordKind<Product, ProductChanges> = {
  hasVersions: true,
  name: 'product',
  noun: 'Product',
  prefix: 'prod_',
  permission: 'CATALOG_WRITE',
  live: 'ACTIVE',
  isCheckedWhenScheduled: false,
  existing: existingProducts,

  async find({ db, businessId }: Query, idOrSlug) {
    const id = await findProductId(db, businessId, idOrSlug);
    const found = id && (await findProduct(db, businessId, id));
    return found ? stored(found) : null;
  },

  async lock({ db: tx, businessId }: Command, idOrSlug) {
    const id = await findProductId(tx, businessId, idOrSlug);
    const locked = id && (await lockProduct(tx, businessId, id));
    return locked ? stored(locked) : null;
  },

  visibleStatuses: ({ caller, businessId }) => (may(caller, businessId, 'CATALOG_WRITE') ? PRODUCT_STATUSES : []),

  setsStock: ({ variants = [] }) => variants.some(({ inventory }) => inventory?.quantity !== undefined),

  async compose(ctx: Command, { before, changes, texts: { sanitize }, isDraft }) {
    const { db: tx, caller } = ctx;
    const composed = await compose(ctx, { current: before, id: before.id, changes, caller, sanitize });
    if (!isDraft) return { record: await reserveUnique(tx, before, composed), words: null };
    if (composed.product.statuses.length > before.statuses.length) composed.errors.push(DRAFT_STATUS_ERROR);
    return { record: await settlePrices(ctx, before, await requireUnique(tx, composed)), words: null };
  },

  async complete(ctx: Command, product, draft) {
    const changes = draft ? changesTo(draft) : {};
    const change = { current: product, id: product.id, changes, caller: null, sanitize: AS_IS };
    return reserveUnique(ctx.db, product, await compose(ctx, change));
  },

  /** Existing variants keep their quantity. */
  withContent(product, draft) {
    const known = new Map(product.variants.map(({ id, inventory }) => [id, inventory.quantity]));
    const variants = draft.variants.map((variant) => {
      const quantity = known.get(variant.id) ?? variant.inventory.quantity;
      return { ...variant, inventory: { ...variant.inventory, quantity } };
    });
    return { ...product, ...contentOf(draft), variants, updatedAt: draft.updatedAt };
  },

  /** Existing variants keep their quantity; restored variants start at 0. */
  changesFrom: (version) => ({
    ...changesTo(version),
    variants: changesTo(version).variants.map(({ inventory: { quantity: _, ...inventory }, ...variant }) => ({
      ...variant,
      inventory: { lowStockThreshold: null, ...inventory },
    })),
  }),

  /** Drafts store the initial quantity of variants that the product doesn't have yet. Other versions store none. */
  parse: (doc) => withDraftQuantities(withDefaults(doc as Product)),
  show: showProduct,
  showVersion: (version, publicUrl) => storedProduct(showProduct(version, publicUrl)),
  publicResponse: publicProductResponse,
  mediaIdsOf,
  richTextsOf,

  replaceMedia: (product, replace) => ({
    ...product,
    gallery: replaceInGallery(product.gallery, replace),
    variants: product.variants.map((variant) =>
      variant.gallery ? { ...variant, gallery: replaceInGallery(variant.gallery, replace) } : variant,
    ),
    blocks: mapMedia(product.blocks, replace),
  }),

  settle: settlePrices,
  update: (tx, { record }, version) => updateProduct(tx, record, version),
  updateDraft,
  updateDetails,

  eventsOf: ({ before, after }) =>
    newlyLowVariants(before, after).map((data) => ({ type: 'inventory.low', entity: `product:${after.id}`, data })),
};

const stored = ({ row: { version, stockVersion }, product }: FoundProduct) => ({
  record: product,
  version,
  stockVersion,
});

const withDraftQuantities = (doc: Product): Product => ({
  ...doc,
  variants: doc.variants.map((variant) => ({
    ...variant,
    inventory: { ...variant.inventory, quantity: variant.inventory.quantity ?? 0 },
  })),
});

/** Keeps each file in a gallery at most once. */
const replaceInGallery = (gallery: readonly Media[], replace: ReplaceMedia): Media[] =>
  gallery.flatMap((item) => {
    const other = replace(item);
    const isRepeat = other !== null && other.id !== item.id && gallery.some(({ id }) => id === other.id);
    return other === null || isRepeat ? [] : other;
  });

export const refreshProductMedia: RefreshUser = (ctx, user) => refreshMedia(ctx, { kind: productKind, ...user });
