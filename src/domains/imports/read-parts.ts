/** Parts of records that do not stand behind them, such as the variations of a product that were added later. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { CsvFormat, Row } from './formats/format.ts';
import type { ReadRow } from './read-records.ts';

/** Of the file, so that whoever goes on after a crash has found them before its lease ends. */
const MAX_READ_BYTES = 128 * 1_048_576;
/** In memory: some 50,000 rows. */
const MAX_KEPT_BYTES = 16 * 1_048_576;
const BUSY_MS = 4;

export type Parts = {
  /** By the number of their row. */
  isKept(number: number): boolean;
  /** Of the record that begins with this row. */
  partsOf(first: Row): readonly ReadRow[];
};

export const NO_PARTS: Parts = { isKept: () => false, partsOf: () => [] };

/** Reads the file from its beginning. What is beyond the limits, or names a record that is not there, is not kept. */
export async function findParts(rows: AsyncIterable<ReadRow>, format: CsvFormat): Promise<Parts> {
  const { ownerOf, namesOf } = format.parts!;
  const [names, found] = [new Set<string>(), new Map<string, ReadRow[]>()];
  let open: ReadRow | null = null;
  let [keptBytes, readBytes, busySince] = [0, 0, performance.now()];
  for await (const each of rows) {
    if (performance.now() - busySince > BUSY_MS) {
      await letOthersRun();
      busySince = performance.now();
    }
    const bytes = each.end - readBytes;
    readBytes = each.end;
    if (readBytes > MAX_READ_BYTES || keptBytes > MAX_KEPT_BYTES) break;
    if (each.isOpenEnded || (open && format.joins?.([open.row], each.row))) continue;
    const owner = ownerOf(each.row);
    if (owner === null) {
      open = each;
      for (const name of namesOf(each.row)) {
        names.add(name);
        keptBytes += name.length;
      }
    } else {
      const parts = found.get(owner);
      if (parts) parts.push(each);
      else found.set(owner, [each]);
      keptBytes += bytes;
    }
  }
  const kept = new Set<number>();
  for (const [owner, parts] of found) {
    if (names.has(owner)) for (const { number } of parts) kept.add(number);
    else found.delete(owner);
  }
  return {
    isKept: (number) => kept.has(number),
    partsOf: (first) => namesOf(first).flatMap((name) => found.get(name) ?? []),
  };
}
