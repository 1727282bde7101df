/**
 * Caches rendered pages. A page is loaded again if anything in its business has changed, and rendered again only if its
 * data has.
 */
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const MAX_BYTES = 64 * 1024 * 1024;
/** All requests within this time share one lookup of the state of a business. */
const STATE_MS = 100;
/** A page is loaded again after this time, whatever its state. A CDN caches it for the same time. */
const MAX_AGE_MS = 60_000;
const MAX_STATES = 10_000;

export type CachedPage = {
  /** The hash of the data, for the ETag. */
  hash: string;
  status: number;
  html: Buffer;
  brotli: Promise<Buffer> | null;
  headers: Record<string, string>;
  /** The target of a redirect. */
  location: string | null;
};
type Entry = { page: CachedPage; state: string; loadedAtMs: number };
type State = { value: Promise<string>; atMs: number };

const compress = promisify(brotliCompress);
const PARAMS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** `findState` returns a string that differs after every change in the business. */
export function createPageCache(findState: (businessId: string) => Promise<string>, nowMs = () => performance.now()) {
  const entries = new Map<string, Entry>();
  const states = new Map<string, State>();
  const loading = new Map<string, Promise<CachedPage>>();
  let bytes = 0;

  /** Includes the compressed page, which is added later. */
  const sizeOf = ({ html }: CachedPage) => Math.ceil(html.length * 1.4) + 500;

  function remove(key: string) {
    const entry = entries.get(key);
    if (!entry) return;
    bytes -= sizeOf(entry.page);
    entries.delete(key);
  }

  function store(key: string, entry: Entry) {
    remove(key);
    entries.set(key, entry);
    bytes += sizeOf(entry.page);
    for (const oldest of entries.keys()) {
      if (bytes <= MAX_BYTES || oldest === key) break;
      remove(oldest);
    }
  }

  function stateOf(businessId: string): Promise<string> {
    const known = states.get(businessId);
    if (known && nowMs() - known.atMs < STATE_MS) return known.value;
    if (states.size >= MAX_STATES) states.clear();
    const value = findState(businessId);
    value.catch(() => states.delete(businessId));
    states.set(businessId, { value, atMs: nowMs() });
    return value;
  }

  const isFresh = (entry: Entry, state: string) => entry.state === state && nowMs() - entry.loadedAtMs < MAX_AGE_MS;

  return {
    stateOf,
    async find(businessId: string, key: string): Promise<CachedPage | null> {
      const state = await stateOf(businessId);
      const known = entries.get(key);
      return known && isFresh(known, state) ? known.page : null;
    },
    /** Marks a business as changed: the next request looks up its state. */
    expire: (businessId: string): void => void states.delete(businessId),
    /** Clears the cache. */
    clear(): void {
      entries.clear();
      bytes = 0;
    },
    /** `load` gets the previous page, which it may return if the data is the same. Concurrent requests share one load. */
    async get(
      businessId: string,
      key: string,
      load: (known: CachedPage | undefined) => Promise<CachedPage>,
    ): Promise<CachedPage> {
      const state = await stateOf(businessId);
      const known = entries.get(key);
      if (known && isFresh(known, state)) return known.page;
      const turn = `${state} ${key}`;
      const running = loading.get(turn);
      if (running) return running;
      const loadedAtMs = nowMs();
      const loaded = load(known?.page)
        .then((page) => {
          store(key, { page, state, loadedAtMs });
          return page;
        })
        .finally(() => loading.delete(turn));
      loading.set(turn, loaded);
      return loaded;
    },
    /** A page is compressed once, when the first browser asks for it. */
    compressed(page: CachedPage): Promise<Buffer> {
      page.brotli ??= compress(page.html, PARAMS);
      return page.brotli;
    },
  };
}
