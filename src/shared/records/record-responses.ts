import type { TSchema } from 'typebox';
import type { Caller } from '../security/caller.ts';
import { etagOf } from './etag.ts';
import { createResponseCache, type View, viewOf } from './response-cache.ts';
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
export function createRecordResponses<Doc extends object>(schemas: Record<View, TSchema>, show: (doc: Doc) => Doc) {
  const cache = createResponseCache<CachedResponse>();
  const serializer = (view: View) => serializerOf<Doc & { etag?: string }>(schemas[view]);
  const serializers = {
    'member record': serializer('member record'),
    'member item': serializer('member item'),
    'public record': serializer('public record'),
    'public item': serializer('public item'),
  };

  function compose(view: View, businessId: string, id: string, version: number, doc: Doc): SerializedJson {
    const etag = view.endsWith('item') ? { etag: etagOf(version) } : {};
    const body = asJson(serializers[view]({ ...show(doc), ...etag }));
    return cache.keep(view, businessId, id, { version, body }).body;
  }

  return {
    /** `find` gets the cached version, or 0. It can return a null document if that version is still current. */
    async one<Row extends Found<Doc>>(
      ctx: Reader,
      id: string,
      find: (knownVersion: number) => Promise<Row | null>,
    ): Promise<(Row & { body: SerializedJson }) | null> {
      const view = viewOf(ctx, 'record');
      const known = cache.find(view, ctx.businessId, id);
      const row = await find(known?.version ?? 0);
      if (!row) return null;
      const { version, doc } = row;
      return { ...row, body: doc === null ? known!.body : compose(view, ctx.businessId, id, version, doc) };
    },
    /** Returns the responses of a page, in the order of the rows. `read` omits records that the caller can no longer see. */
    page(
      ctx: Reader,
      rows: readonly { id: string; version: number }[],
      read: (ids: string[]) => Promise<readonly { id: string; version: number; doc: Doc }[]>,
      isStrict: boolean,
    ): Promise<SerializedJson[] | null> {
      const view = viewOf(ctx, 'item');
      const { businessId } = ctx;
      return completePage(
        rows,
        ({ id, version }) => {
          const known = cache.find(view, businessId, id);
          return known?.version === version ? known.body : undefined;
        },
        async (missing) => {
          const found = await read(missing.map(({ id }) => id));
          return found.map(({ id, version, doc }) => ({
            id,
            version,
            body: compose(view, businessId, id, version, doc),
          }));
        },
        isStrict,
      );
    },
    clear: cache.clear,
  };
}
