/** Reads the records of an import from its thread. */
import { ConversionFailed } from '../../../shared/threads/index.ts';
import type { Steps } from '../context.ts';
import type { Conversion } from '../formats/format.ts';
import type { ImportRow } from '../queries.ts';
import type { Position } from '../source/rows.ts';
import { opener } from '../stored-file.ts';
import { type Batch, PROGRESS, type Request } from './convert.ts';
import type { Item } from './convert-record.ts';
import { serveBytes } from './file-bytes.ts';

/** The file can't be read from this row on. */
export class Unreadable extends Error {
  readonly row: number;

  constructor(row: number) {
    super(`The file can't be read after row ${row}`);
    this.row = row;
  }
}

/**
 * Yields batches of records from the position of the import. While the caller writes a batch, the thread converts the next one. A record that
 * takes too long ends the thread, and a new thread continues after it.
 */
export async function* readBatches(
  ctx: Steps,
  row: ImportRow,
  contextOf: () => Promise<Conversion>,
): AsyncGenerator<Item[]> {
  const { converter, schemas } = ctx.imports;
  const slow: number[] = [];
  let position: Position = { offset: row.position, row: row.row };
  for (let isEnd = false; !isEnd; ) {
    const bytes = serveBytes(opener(ctx, row));
    const thread = converter.hold(row.businessId, bytes.serve);
    const ask = (request: Request) => thread.convert(request, ctx.signal) as Promise<Batch>;
    let pending: Promise<unknown> | null = null;
    const stop = () => thread.end(ctx.signal.reason);
    ctx.signal.addEventListener('abort', stop, { once: true });
    try {
      const { type, format, options } = row;
      let next = ask({ open: { type, format, options, position, slow, schemas }, to: await contextOf() });
      while (!isEnd) {
        const { items, needsContext, isEnd: isLast = false } = await next;
        if (!isLast && !needsContext) {
          next = ask({ to: null });
          // Its error is thrown when the batch before it is written.
          pending = next.catch(() => {});
        }
        if (items.length > 0) yield items;
        position = items.at(-1)?.end ?? position;
        if (needsContext) next = ask({ to: await contextOf() });
        isEnd = isLast;
      }
    } catch (error) {
      if (!(error instanceof ConversionFailed)) throw error;
      if (error.code === 'CRASHED') throw error;
      const { [PROGRESS.IS_CONVERTING]: isConverting, [PROGRESS.ROW]: number = 0 } = thread.progress;
      if (isConverting !== 1 || slow.includes(number)) throw new Unreadable(position.row);
      slow.push(number);
    } finally {
      ctx.signal.removeEventListener('abort', stop);
      if (!ctx.signal.aborted) await pending;
      thread.end();
      await bytes.close();
    }
  }
}
