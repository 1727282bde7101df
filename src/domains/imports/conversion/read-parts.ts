/** Finds the parts of records that don't follow their record, such as variations that were added to a product later. */
import type { CsvFormat, Row, RowError } from '../formats/format.ts';

/** Bytes read from the file: few enough that a worker that resumes after a crash finishes before its lease expires. */
const MAX_READ_BYTES = 128 * 1_048_576;
/** Bytes kept in memory, about 50,000 rows. */
const MAX_KEPT_BYTES = 16 * 1_048_576;

/** A row and its errors. */
export type ReadRow = {
  row: Row;
  number: number;
  end: number;
  problems: RowError[];
  /** Broken within its first cell, so its record is unknown. */
  isOpenEnded: boolean;
};

export type Parts = {
  /** Whether the row with this number is kept. */
  isKept(number: number): boolean;
  /** The parts of the record that starts with this row. */
  partsOf(first: Row): readonly ReadRow[];
};

export const NO_PARTS: Parts = { isKept: () => false, partsOf: () => [] };

/** Reads the file from the start. Parts beyond the limits, or whose record is missing, are not kept. */
export async function findParts(rows: AsyncIterable<ReadRow>, format: CsvFormat): Promise<Parts> {
  const { ownerOf, namesOf } = format.parts!;
  const [names, found] = [new Set<string>(), new Map<string, ReadRow[]>()];
  let open: ReadRow | null = null;
  let [keptBytes, readBytes] = [0, 0];
  for await (const each of rows) {
    const bytes = each.end - readBytes;
    readBytes = each.end;
    if (readBytes > MAX_READ_BYTES || keptBytes > MAX_KEPT_BYTES) break;
    if (each.isOpenEnded || (open && format.isContinuation?.([open.row], each.row))) continue;
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
