import { type Caller, isMember } from './caller.ts';
import { listedJson, type Version } from './etag.ts';
import { publicJson } from './statuses.ts';

/** Bytes of documents that are cached in all, and of one at most. */
const MAX_KEPT = 4_000_000;
const MAX_DOCUMENT = 100_000;

/** What a list reads of a record: enough to take its document from memory. */
type Listed = { id: string; version: Version };

/** What members see and what others see: who set a status, and what is planned, is for members only. */
export function createDocumentCaches() {
  const [members, others] = [createDocumentCache((json) => json), createDocumentCache(publicJson)];
  return {
    for: ({ caller, businessId }: { caller: Caller; businessId: string }): DocumentCache =>
      isMember(caller, businessId) ? members : others,
    clear(): void {
      members.clear();
      others.clear();
    },
  };
}

/**
 * Caches the documents of records by version, each as an item of a list, shown as `view` has it. The document of a version never
 * changes, so that nothing here can be stale: a read asks which version there is now, and only for a document that it has not
 * seen before. Only a database that has lost its last changes, as after a failover, could give a version out twice: `clear` is
 * for that.
 */
export function createDocumentCache(view: (json: string) => string) {
  const kept = new Map<string, { version: Version; doc: Buffer }>();
  let size = 0;

  /** As bytes: so they are encoded once, and a page of them is put together without looking at them. */
  function keep(businessId: string, id: string, version: Version, json: string): Buffer {
    const doc = Buffer.from(listedJson(view(json), version));
    if (doc.length > MAX_DOCUMENT) return doc;
    const key = keyOf(businessId, id);
    size += doc.length - (kept.get(key)?.doc.length ?? 0);
    kept.delete(key);
    kept.set(key, { version, doc });
    for (const [oldest, { doc: dropped }] of kept) {
      if (size <= MAX_KEPT) break;
      kept.delete(oldest);
      size -= dropped.length;
    }
    return doc;
  }

  const find = (businessId: string, id: string) => kept.get(keyOf(businessId, id));

  /**
   * The documents of these records, in their order. `read` must look again at whether the caller may see a record: one that
   * was changed since it was listed is as it is now, or left out. With `isStrict` such a page, of which a part is of before and a
   * part of after, is null: see `inOneMoment`.
   */
  async function complete(
    businessId: string,
    records: readonly Listed[],
    read: (ids: readonly string[]) => Promise<(Listed & { doc: string })[]>,
    isStrict: boolean,
  ): Promise<Buffer[] | null> {
    const known = records.map(({ id, version }) => {
      const found = find(businessId, id);
      return found?.version === version ? found.doc : null;
    });
    const missing = records.filter((_, i) => known[i] === null).map(({ id }) => id);
    if (missing.length === 0) return known as Buffer[];
    const found = new Map<string, Buffer>();
    const listed = isStrict ? new Map(records.map(({ id, version }) => [id, ownVersion(version)])) : null;
    for (const { id, version, doc } of await read(missing)) {
      if (listed && listed.get(id) !== ownVersion(version)) return null;
      found.set(id, keep(businessId, id, version, doc));
    }
    return records.flatMap(({ id }, i) => known[i] ?? found.get(id) ?? []);
  }

  function clear(): void {
    kept.clear();
    size = 0;
  }

  return { find, keep, complete, clear };
}

/** Without that of the stock, which moves with every sale. */
const ownVersion = (version: Version) => Number.parseInt(String(version), 10);

const STRICT_TRIES = 3;

/**
 * A page of records that were all there at one moment, also while many of them are changed in one transaction: what was changed
 * between the list and the documents is listed again. Under a stream of changes the last try takes what it gets.
 */
export async function inOneMoment<T>(list: (isStrict: boolean) => Promise<T | null>): Promise<T> {
  for (let tries = 1; tries < STRICT_TRIES; tries++) {
    const page = await list(true);
    if (page !== null) return page;
  }
  return (await list(false))!;
}

const keyOf = (businessId: string, id: string) => `${businessId} ${id}`;

type DocumentCache = ReturnType<typeof createDocumentCache>;
