import { preconditionFailed } from './errors.ts';

/** The ETag of a record is its version: it changes with every PUT, and not with a sale that only moves stock. */
export const etagOf = (version: number) => `"${version}"`;

/** Raises 412 when the caller named versions in If-Match and the record is at none of them. */
export function checkIfMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const named = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!named.includes(etagOf(version))) throw preconditionFailed();
}
