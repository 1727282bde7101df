/** Sends the bytes of a file from the main thread to the thread that asks for them, one chunk at a time. */
import type { Host } from '../../../shared/threads/index.ts';
import type { OpenBytes } from '../source/source.ts';

type BytesRequest = { open: number } | { read: number } | { close: number };

/** In the thread. */
export const bytesOf =
  (host: Host): OpenBytes =>
  async (start) => {
    const reader = (await host.ask({ open: start } satisfies BytesRequest)) as number;
    return (async function* () {
      try {
        for (;;) {
          const chunk = (await host.ask({ read: reader } satisfies BytesRequest)) as Uint8Array | null;
          if (chunk === null) return;
          yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        }
      } finally {
        await host.ask({ close: reader } satisfies BytesRequest);
      }
    })();
  };

/** In the main thread. */
export function serveBytes(open: OpenBytes) {
  const readers = new Map<number, AsyncIterator<Buffer>>();
  let last = 0;
  return {
    async serve(request: unknown): Promise<number | Uint8Array | null> {
      const asked = request as BytesRequest;
      if ('open' in asked) {
        const body = await open(asked.open);
        const chunks = Buffer.isBuffer(body) ? (body.length > 0 ? [body] : []) : body;
        readers.set(++last, toIterator(chunks));
        return last;
      }
      if ('close' in asked) {
        await readers.get(asked.close)?.return?.();
        readers.delete(asked.close);
        return null;
      }
      const next = await readers.get(asked.read)?.next();
      // Copied, because the thread takes over the memory.
      return !next || next.done ? null : new Uint8Array(next.value);
    },
    async close(): Promise<void> {
      for (const reader of readers.values()) await reader.return?.();
      readers.clear();
    },
  };
}

async function* toIterator(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks;
}
