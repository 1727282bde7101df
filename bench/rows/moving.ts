/** Imports, exports and publishing in bulk: their cost, and their effect on other requests. */
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, plainLine, type Row } from '../types.ts';
import { startWorking, type Working } from '../working.ts';
import { bearer } from './accounts.ts';

const VARIANTS = 3;
const WORDS =
  'linen wool cotton silk shirt hat scarf mug lamp table chair soft warm large small bright dark red blue green oak pine'.split(
    ' ',
  );

/** A Shopify CSV with three variants per product. */
function* fileOf(products: number): Generator<string> {
  yield 'Handle,Title,Body (HTML),Type,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,Status\n';
  for (let i = 0; i < products; i++) {
    const word = (n: number) => WORDS[(i * 7 + n * 13 + ((i >> 3) % 11)) % WORDS.length]!;
    const text = Array.from({ length: 25 }, (_, n) => word(n)).join(' ');
    const rest = `shopify,${i % 50},${10 + (i % 90)}.50`;
    yield `p-${i},${word(1)} ${word(2)} ${i},<p>${text}</p>,Goods,true,Size,S,SKU-${i}-S,${rest},active\n`;
    for (const size of ['M', 'L']) yield `p-${i},,,,,,${size},SKU-${i}-${size},${rest},\n`;
  }
}

type Imported = { rows: number; perSecond: number; created: number; unchanged: number; failed: number; maxMb: number };

/** Uploads the file and waits until the import has ended. */
async function importFile(bench: Bench, service: Working, base: string) {
  const headers = bearer(bench.shop.adminToken);
  const startedAt = performance.now();
  let maxMb = await service.memoryMb();
  const sent = await fetch(`${service.url}${base}/imports?type=products&market=us`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: Readable.toWeb(Readable.from(fileOf(productsOf(bench)), { objectMode: false })) as never,
    duplex: 'half',
  } as RequestInit);
  if (!sent.ok) throw new Error(`import returned ${sent.status}: ${await sent.text()}`);
  const { id } = (await sent.json()) as { id: string };
  for (;;) {
    await pause(100);
    maxMb = Math.max(maxMb, await service.memoryMb());
    const found = (await (await fetch(`${service.url}${base}/imports/${id}`, { headers })).json()) as Imported & {
      status: string;
    };
    if (found.status === 'QUEUED' || found.status === 'RUNNING') continue;
    return { ...found, maxMb, perSecond: (found.rows * 1000) / (performance.now() - startedAt) };
  }
}

/** Requests a list of products fifty times a second until stopped. */
function requestMeanwhile(url: string, headers: Record<string, string>) {
  const waits: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const at = performance.now();
      await (await fetch(url, { headers })).text();
      waits.push(performance.now() - at);
      await pause(20);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    waits.sort((a, b) => a - b);
    const at = (share: number) => waits[Math.floor(waits.length * share)]!;
    return { p50: at(0.5), p99: at(0.99) };
  };
}

const productsOf = ({ large, seconds }: Bench) => (large ? 100_000 : seconds > 1 ? 5000 : 1000);
let imported: ReturnType<typeof importTwice> | undefined;

async function importTwice(bench: Bench) {
  const configs = { markets: [{ id: 'us', name: 'United States', currency: 'usd' }] };
  const { id } = await bench.call<{ id: string }>('POST', '/v1/businesses', { body: { name: 'Moves in', configs } });
  const base = `/v1/businesses/${id}`;
  const service = await startWorking(bench);
  try {
    const beforeMb = await service.memoryMb();
    const others = requestMeanwhile(`${service.url}${base}/products?limit=20`, bearer(bench.shop.adminToken));
    const first = await importFile(bench, service, base);
    const meanwhile = await others();
    return { base, beforeMb, first, meanwhile, again: await importFile(bench, service, base) };
  } finally {
    service.stop();
  }
}

export const importRow: Row = {
  name: 'import',
  async run(bench) {
    imported ??= importTwice(bench);
    const { beforeMb, first, meanwhile, again } = await imported;
    const products = productsOf(bench);
    const name = `${products.toLocaleString('en')} products (${first.rows.toLocaleString('en')} rows)`;
    return [
      plainLine({
        operation: `Import of ${name}`,
        ours: `${Math.round(first.perSecond)} rows/s`,
        memory: `${first.maxMb} MB`,
        goal: '≥ 2,000 rows/s',
        met: first.perSecond >= 2000 && first.created === products,
      }),
      plainLine({
        operation: 'Import of the same file again',
        ours: `${Math.round(again.perSecond)} rows/s`,
        memory: `${again.maxMb} MB`,
        goal: '≥ 2,000 rows/s',
        met: again.perSecond >= 2000 && again.unchanged === products,
      }),
      plainLine({
        operation: 'Memory during the import',
        ours: `${beforeMb} → ${first.maxMb} MB`,
        memory: `${first.maxMb} MB`,
        goal: 'within 100 MB',
        met: first.maxMb - beforeMb <= 100,
      }),
      plainLine({
        operation: 'Product lists read during the import',
        ours: `${meanwhile.p99.toFixed(1)} ms`,
        p50: `${meanwhile.p50.toFixed(1)} ms`,
        p99: `${meanwhile.p99.toFixed(1)} ms`,
        goal: 'p99 < 50 ms',
        met: meanwhile.p99 < 50,
      }),
    ];
  },
};

export const exportRow: Row = {
  name: 'export',
  async run(bench) {
    imported ??= importTwice(bench);
    const { base } = await imported;
    const lines = [];
    for (const format of ['csv', 'ndjson']) {
      const startedAt = performance.now();
      const response = await fetch(`${bench.url}${base}/exports?type=products&format=${format}`, {
        headers: bearer(bench.shop.adminToken),
      });
      let count = 0;
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        for (const byte of chunk) if (byte === 10) count++;
      }
      const variants = format === 'csv' ? count - 1 : count * VARIANTS;
      const perSecond = (variants * 1000) / (performance.now() - startedAt);
      lines.push(
        plainLine({
          operation: `Export of ${variants.toLocaleString('en')} variants as ${format.toUpperCase()}`,
          ours: `${Math.round(perSecond)} rows/s`,
          memory: `${await bench.memoryMb()} MB`,
          goal: '≥ 10,000 rows/s',
          met: perSecond >= 10_000 && variants === productsOf(bench) * VARIANTS,
        }),
      );
    }
    return lines;
  },
};

const ENTRIES = 1000;

/** A page of the newest 100 entries must show all of the release or none of it. */
export const releaseRow: Row = {
  name: 'release',
  async run(bench) {
    const base = `/v1/businesses/${bench.shop.businessId}`;
    const { id: collectionId } = await bench.call<{ id: string }>('POST', `${base}/collections`, {
      body: { name: 'Released', statuses: [{ status: 'PUBLISHED' }], blocks: [{ id: 'title', type: 'TEXT' }] },
    });
    const items: string[] = [];
    while (items.length < ENTRIES) {
      const some = Array.from({ length: 8 }, (_, i) =>
        bench.call<{ id: string }>('POST', `${base}/entries`, {
          body: { collectionId, blocks: [{ id: 'title', type: 'TEXT', value: `Entry ${items.length + i}` }] },
        }),
      );
      for (const { id } of await Promise.all(some)) items.push(id);
    }
    const service = await startWorking(bench);
    try {
      const seen = new Set<number>();
      const startedAt = performance.now();
      await bench.call('POST', `${base}/releases`, { body: { name: 'All', items } });
      while (!seen.has(100)) {
        const { items: page } = await bench.call<{ items: object[] }>(
          'GET',
          `${base}/entries?collectionId=${collectionId}&limit=100`,
          { token: bench.shop.guestToken },
        );
        seen.add(page.length);
      }
      const ms = performance.now() - startedAt;
      const mixed = [...seen].filter((count) => count !== 0 && count !== 100).length;
      return [
        plainLine({
          operation: `Release of ${ENTRIES.toLocaleString('en')} entries, seen by readers`,
          ours: `${Math.round(ms)} ms, ${mixed === 0 ? 'all at once' : `${mixed} mixed pages`}`,
          memory: `${await service.memoryMb()} MB`,
          goal: '< 5 s, no mixed pages',
          met: ms < 5000 && mixed === 0,
        }),
      ];
    } finally {
      service.stop();
    }
  },
};
