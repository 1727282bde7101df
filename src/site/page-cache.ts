/** Keeps rendered pages. A page is rendered again only if its data changed, and loaded again only if something may have changed. */
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const MAX_BYTES = 64 * 1024 * 1024;
/** Other processes report their changes, but a report may be late. */
const FRESH_MS = 500;

export type CachedPage = {
  /** The hash of the data, for the ETag. */
  hash: string;
  status: number;
  html: Buffer;
  brotli: Buffer | null;
  keys: readonly string[];
  /** The target of a redirect. */
  location: string | null;
};
type Entry = { page: CachedPage; generation: number; checkedAtMs: number };

const compress = promisify(brotliCompress);
const PARAMS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export function createPageCache(nowMs = () => performance.now()) {
  const entries = new Map<string, Entry>();
  /** Grows with each change of a business. */
  const generations = new Map<string, number>();
  const loading = new Map<string, Promise<CachedPage>>();
  let bytes = 0;

  const generationOf = (businessId: string) => generations.get(businessId) ?? 0;
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

  return {
    /** Something in the business changed: its pages are loaded again before they are used. */
    expire(businessId: string): void {
      generations.set(businessId, generationOf(businessId) + 1);
    },
    /** `load` gets the previous page, which it may return if the data is the same. Concurrent requests share one load. */
    async get(
      businessId: string,
      key: string,
      load: (known: CachedPage | undefined) => Promise<CachedPage>,
    ): Promise<CachedPage> {
      const generation = generationOf(businessId);
      const known = entries.get(key);
      if (known && known.generation === generation && nowMs() - known.checkedAtMs < FRESH_MS) return known.page;
      const turn = `${generation} ${key}`;
      const running = loading.get(turn);
      if (running) return running;
      const checkedAtMs = nowMs();
      const loaded = load(known?.page)
        .then((page) => {
          store(key, { page, generation, checkedAtMs });
          return page;
        })
        .finally(() => loading.delete(turn));
      loading.set(turn, loaded);
      return loaded;
    },
    async compressed(page: CachedPage): Promise<Buffer> {
      page.brotli ??= await compress(page.html, PARAMS);
      return page.brotli;
    },
  };
}

export type PageCache = ReturnType<typeof createPageCache>;
