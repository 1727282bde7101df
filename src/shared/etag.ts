import { preconditionFailed } from './errors.ts';

/** Grows with every change of a record. A product's also names the version of its stock, after a dot: `3.17`. */
export type Version = number | string;

export const etagOf = (version: Version) => `"${version}"`;

/**
 * Raises 412 when the caller named versions in If-Match and the record is at none of them. Checked for a number, a version that
 * also names one of the stock fits whatever the stock is.
 */
export function checkIfMatch(ifMatch: string | undefined, version: Version): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const named = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const fits = (tag: string) =>
    tag === etagOf(version) || (typeof version === 'number' && tag.startsWith(`"${version}.`));
  if (!named.some(fits)) throw preconditionFailed();
}

const FIELD = ',"etag":';

/** The JSON of a record as an item of a list, where no header can carry its ETag. */
export const listedJson = (json: string, version: Version) =>
  `${json.slice(0, -1)}${FIELD}${JSON.stringify(etagOf(version))}}`;

/** The JSON of a record itself, from that of the item. */
export function recordJson(listed: Buffer, version: Version): Buffer {
  const end = listed.length - FIELD.length - JSON.stringify(etagOf(version)).length - 1;
  const record = Buffer.allocUnsafe(end + 1);
  listed.copy(record, 0, 0, end);
  record[end] = 0x7d;
  return record;
}
