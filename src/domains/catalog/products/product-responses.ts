import Type from 'typebox';
import type { Query as BaseQuery, Platform } from '../../../context/index.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { plannedFields } from '../../../shared/records/planned-fields.ts';
import { createResponseCache, type View, viewOf } from '../../../shared/records/response-cache.ts';
import { completePage } from '../../../shared/records/response-page.ts';
import { asJson, type SerializedJson, serializerOf } from '../../../shared/records/serializer.ts';
import { PublicStatusEntry, ScheduledStatus, StatusEntry } from '../../../shared/records/status-schemas.ts';
import { fillTemplate, HOLE, Hole, splitTemplate } from '../../../shared/records/template.ts';
import { translated } from '../translations/translate.ts';
import {
  findProductState,
  type KnownVersion,
  type ListedRow,
  listProductStates,
  type ProductState,
} from './queries.ts';
import { type Product, PublicProduct, productFields } from './schemas.ts';
import { withFullUrls } from './show-product.ts';
import { type Quantities, quantityOf, type StoredProduct } from './stored-product.ts';

/** Holes are placeholders for values that change with the stock. */
const [MEMBER, PUBLIC] = [
  productFields(Hole, StatusEntry, plannedFields(ScheduledStatus)),
  productFields(Hole, PublicStatusEntry, {}),
];
const TEMPLATES = {
  'member record': serializerOf(Type.Object(MEMBER)),
  'member item': serializerOf(Type.Object({ ...MEMBER, etag: Hole })),
  'public record': serializerOf(Type.Object(PUBLIC)),
  'public item': serializerOf(Type.Object({ ...PUBLIC, etag: Hole })),
} satisfies Record<View, unknown>;

const serializePublic = serializerOf<Product>(PublicProduct);

/** The product as non-members see it. */
export const publicProductResponse = (product: Product, publicUrl: string): SerializedJson =>
  asJson(serializePublic(withFullUrls(product, publicUrl)));

/** One version of a product as an audience sees it, split around the quantities of these variants. */
type Template = { pieces: string[]; variantIds: string[] };
/** `state` is the ETag: product version and stock version, such as `3.17`. */
type CachedResponse = KnownVersion & { state: string; template: Template; body: SerializedJson; bytes: number };

type PageOptions = { statuses: readonly string[] | null; isStrict: boolean; locale?: string | undefined };

/** Responses in a language are kept alongside those in the default language. */
const keyOf = (id: string, locale: string | undefined) => (locale === undefined ? id : `${id} ${locale.toLowerCase()}`);

/** Caches product responses: composed once per version and filled once per stock version. */
export function createProductResponses({ broadcast, publicUrl }: Pick<Platform, 'broadcast' | 'publicUrl'>) {
  const cache = createResponseCache<CachedResponse>();
  broadcast.onReset(cache.clear);

  function compose(view: View, doc: StoredProduct, locale: string | undefined): Template {
    const shown = locale === undefined ? doc : translated(doc, locale);
    const { variants, ...product } = withFullUrls(shown, publicUrl());
    const json = TEMPLATES[view]({
      ...product,
      variants: variants.map((variant) => ({ ...variant, inventory: { ...variant.inventory, quantity: HOLE } })),
      etag: HOLE,
    });
    return { pieces: splitTemplate(json), variantIds: variants.map(({ id }) => id) };
  }

  /** `known` is the cached response at the time the product was read. */
  function responseOf(
    view: View,
    businessId: string,
    id: string,
    found: ProductState,
    known: CachedResponse | undefined,
    locale: string | undefined,
  ): CachedResponse {
    const { version, stockVersion, doc, quantities } = found;
    if (doc === null && quantities === null) return known!;
    const template = doc === null ? known!.template : compose(view, doc, locale);
    const state = `${version}.${stockVersion}`;
    const body = fill(view, template, quantities!, state);
    return cache.keep(view, businessId, keyOf(id, locale), {
      version,
      stockVersion,
      state,
      template,
      body,
      bytes: 2 * body.length,
    });
  }

  return {
    /** Null if there is no such product. */
    async one(ctx: BaseQuery, id: string, locale?: string) {
      const { quick, businessId } = ctx;
      const view = viewOf(ctx, 'record');
      const known = cache.find(view, businessId, keyOf(id, locale));
      const found = await findProductState(quick, businessId, id, known);
      if (!found) return null;
      const { body, state } = responseOf(view, businessId, id, found, known, locale);
      return { body, version: state, status: found.status };
    },
    /** Responses for a page, in row order. Leaves out products that no longer have one of these statuses. */
    page(ctx: BaseQuery, rows: readonly ListedRow[], { statuses, isStrict, locale }: PageOptions) {
      const { quick, businessId } = ctx;
      const view = viewOf(ctx, 'item');
      return completePage(
        rows,
        ({ id, version }) => {
          const known = cache.find(view, businessId, keyOf(id, locale));
          return known?.state === version ? known.body : undefined;
        },
        async (missing) => {
          const known = new Map(missing.map(({ id }) => [id, cache.find(view, businessId, keyOf(id, locale))]));
          const versions = missing.map(({ id }) => ({ id, version: known.get(id)?.version ?? 0 }));
          const found = await listProductStates(quick, businessId, versions, statuses);
          return found.map((each) => {
            const { body, version } = responseOf(view, businessId, each.id, each, known.get(each.id), locale);
            return { id: each.id, version, body };
          });
        },
        isStrict,
      );
    },
  };
}

function fill(view: View, { pieces, variantIds }: Template, quantities: Quantities, state: string): SerializedJson {
  const values: (string | number)[] = variantIds.map((id) => quantityOf(quantities, id));
  if (view.endsWith('item')) values.push(etagOf(state));
  return fillTemplate(pieces, values);
}
