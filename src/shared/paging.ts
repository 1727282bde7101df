import Type, { type Static } from 'typebox';
import { badRequest } from './errors.ts';
import { OneOf } from './schemas.ts';
import { createSigner } from './signing.ts';

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 20, description: 'Page size. Above 100 is taken as 100.', examples: [20] }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: "The former page's `cursor`. Absent, empty or `null`: the first page.",
    }),
  ),
});
export const SortDirection = OneOf(['asc', 'desc', 'ASC', 'DESC']);
export type PageQuery = Static<typeof PageQuery>;

export type CursorValue = string | number | boolean | null;
export type Page<T> = { items: T[]; cursor: string | null };

/** What a page holds at most, but for a record that is larger by itself. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/** How many of these rows make a page: `limit`, or fewer where they would be too many bytes; one at least. */
export function fittingRows(rows: readonly { bytes: number }[], limit: number): number {
  let [count, bytes] = [0, 0];
  for (const row of rows) {
    bytes += row.bytes;
    if (count === limit || (count > 0 && bytes > MAX_PAGE_BYTES)) break;
    count++;
  }
  return count;
}

export const pageLimit = (limit: number | undefined) => Math.min(limit ?? 20, 100);

/** A multiple of three, so that its base64 is whole characters. */
const SIGNATURE_BYTES = 9;
const SIGNATURE_LENGTH = 12;

/**
 * Opaque, signed positions in a list. The scope names the list and its order, so that a cursor of one list (or one sort
 * order) is refused by another; the signature keeps every value in it one that we wrote ourselves.
 */
export function createCursors(key: Buffer) {
  const signer = createSigner(key, SIGNATURE_BYTES);
  const signed = (scope: string, payload: string) => `${scope}\n${payload}`;

  function encode(scope: string, values: CursorValue[]): string {
    const payload = Buffer.from(JSON.stringify(values)).toString('base64url');
    return `${signer.sign(signed(scope, payload))}${payload}`;
  }

  function decode(scope: string, cursor: string | null | undefined): CursorValue[] | null {
    if (!cursor || cursor === 'null') return null;
    const payload = cursor.slice(SIGNATURE_LENGTH);
    if (!signer.verify(signed(scope, payload), cursor.slice(0, SIGNATURE_LENGTH))) {
      throw badRequest('This cursor was not made for this list.', [
        { field: 'cursor', error: 'INVALID_VALUE', message: 'Send the cursor of the former page, or none.' },
      ]);
    }
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  }

  /**
   * Makes the page from rows read with `limit + 1`: the extra row only tells that there is another page.
   * `position` names the values of the sort order, read from the last row of the page.
   */
  function page<Row, Item>(
    scope: string,
    rows: readonly Row[],
    limit: number,
    position: (row: Row) => CursorValue[],
    item: (row: Row) => Item,
  ): Page<Item> {
    const shown = rows.length > limit ? rows.slice(0, limit) : rows;
    const last = shown.at(-1);
    const cursor = rows.length > limit && last !== undefined ? encode(scope, position(last)) : null;
    return { items: shown.map(item), cursor };
  }

  return { encode, decode, page };
}

export type Cursors = ReturnType<typeof createCursors>;
