/** The export of a whole business ends with an end marker and a record count, so that a truncated file is detected. */
import { invalidField } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { ParseJson } from '../source/json.ts';
import { MAX_ROW_BYTES } from '../source/rows.ts';
import type { Source } from '../source/source.ts';

/** The first version that writes an end marker. */
const MARKED_VERSION = 2;
const LF = 0x0a;

/** Throws 422 unless the file is complete. Returns a note about files that can't be checked. */
export async function checkComplete(source: Source, parse: ParseJson): Promise<string[]> {
  const { first, last, count } = await readEnds(source);
  const [start, end] = [recordOf(first, parse), recordOf(last, parse)];
  if (start?.kind === 'business' && Number(start.version) < MARKED_VERSION && end?.kind !== 'end')
    return [
      "This file was exported by an older version, which doesn't write an end marker. Check that it is complete.",
    ];
  if (end?.kind !== 'end')
    throw invalidField('file', 'CUT_OFF', 'The end of the file is missing. Export the business again.');
  const records = isRecord(end.data) ? Number(end.data.records) : Number.NaN;
  if (records === count - 1) return [];
  throw invalidField(
    'file',
    'CUT_OFF',
    `The file should have ${records} records but has ${count - 1}. Export the business again.`,
  );
}

/** The first and last lines with text, and the number of such lines. A line that is too long is truncated. */
async function readEnds(source: Source): Promise<{ first: string; last: string; count: number }> {
  let [first, last, count] = ['', '', 0];
  let [parts, length]: [Buffer[], number] = [[], 0];
  const add = (bytes: Buffer) => {
    length += bytes.length;
    if (length <= MAX_ROW_BYTES) parts.push(bytes);
  };
  const endLine = () => {
    const line = Buffer.concat(parts).toString().trim();
    [parts, length] = [[], 0];
    if (line === '') return;
    count++;
    if (count === 1) first = line;
    last = line;
  };
  for await (const bytes of await source.open(0)) {
    let at = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, at)) {
      add(bytes.subarray(at, end));
      endLine();
      at = end + 1;
    }
    add(bytes.subarray(at));
  }
  endLine();
  return { first, last, count };
}

function recordOf(line: string, parse: ParseJson): Record<string, unknown> | null {
  try {
    const value = parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
