import type { TSchema } from 'typebox';
import type { Caller } from '../security/caller.ts';
import { etagOf } from './etag.ts';
import { createResponseCache, type GatedView, viewOf } from './response-cache.ts';
import { completePage } from './response-page.ts';
import { asJson, type SerializedJson, serializerOf } from './serializer.ts';

type Reader = { caller: Caller; businessId: string };
/** `doc` is null if the cache has the response of this version. */
type Found<Doc> = { version: number; doc: Doc | null };
type CachedResponse = { version: number; body: SerializedJson };

/**
 * Caches the serialized responses for records of one type, per audience and version. `show` prepares a document for the response. The
 * schema of the view selects its fields.
 */
export function createRecordResponses<Doc extends object>(
  schemas: Partial<Record<GatedView, TSchema>>,
  show: (doc: Doc, view: GatedView) => Doc,
) {
  const cache = createResponseCache<CachedResponse>();
  const serializers = Object.fromEntries(
    Object.entries(schemas).map(([view, schema]) => [view, serializerOf<Doc & { etag?: string }>(schema)]),
  ) as Record<GatedView, (doc: Doc & { etag?: string }) => string>;

  function compose(view: GatedView, businessId: string, id: string, version: number, doc: Doc): SerializedJson {
    const etag = view.endsWith('item') ? { etag: etagOf(version) } : {};
    const body = asJson(serializers[view]({ ...show(doc, view), ...etag }));
    return cache.keep(view, businessId, id, { version, body }).body;
  }

  return {
    /** `find` gets the cached version, or 0. It can return a null document if that version is still current. */
    async one<Row extends Found<Doc>>(
      ctx: Reader,
      id: string,
      find: (knownVersion: number) => Promise<Row | null>,
      view: GatedView = viewOf(ctx, 'record'),
    ): Promise<(Row & { body: SerializedJson }) | null> {
      const known = cache.find(view, ctx.businessId, id);
      const row = await find(known?.version ?? 0);
      if (!row) return null;
      const { version, doc } = row;
      return { ...row, body: doc === null ? known!.body : compose(view, ctx.businessId, id, version, doc) };
    },
    /**
     * Returns the responses of a page, in the order of the rows. `read` omits records that the caller can no longer
     * see. `viewFor` is called again for a document, because it may have changed since it was listed.
     */
    page<Row extends { id: string; version: number }>(
      ctx: Reader,
      rows: readonly Row[],
      read: (ids: string[]) => Promise<readonly { id: string; version: number; doc: Doc }[]>,
      isStrict: boolean,
      viewFor: (record: Row | Doc) => GatedView = () => viewOf(ctx, 'item'),
    ): Promise<SerializedJson[] | null> {
      const { businessId } = ctx;
      return completePage(
        rows,
        (row) => {
          const known = cache.find(viewFor(row), businessId, row.id);
          return known?.version === row.version ? known.body : undefined;
        },
        async (missing) => {
          const found = await read(missing.map(({ id }) => id));
          return found.map(({ id, version, doc }) => ({
            id,
            version,
            body: compose(viewFor(doc), businessId, id, version, doc),
          }));
        },
        isStrict,
      );
    },
    clear: cache.clear,
  };
}
