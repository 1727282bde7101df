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

/** About what a page may hold. A statement that reads large rows stops after the row that passes it. */
export const PAGE_BYTES = 2 * 1024 * 1024;
/** How many of these rows make a page: `limit`, or fewer where they would be too many bytes; one at least. */
export function fittingRows(rows: readonly { bytes: number }[], limit: number): number {
  return countFitting(rows, limit, ({ bytes }) => bytes);
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
   * `position` names the values of the sort order, read from the last row of the page. With `bytesOf` the page ends before
   * the row that passes PAGE_BYTES, but holds at least one; rows beyond that one need not have been read.
   */
  function page<Row, Item>(
    scope: string,
    rows: readonly Row[],
    limit: number,
    position: (row: Row) => CursorValue[],
    item: (row: Row) => Item,
    bytesOf: (row: Row) => number = () => 0,
  ): Page<Item> {
    const fitting = countFitting(rows, limit, bytesOf);
    const shown = rows.length > fitting ? rows.slice(0, fitting) : rows;
    const last = shown.at(-1);
    const cursor = rows.length > fitting && last !== undefined ? encode(scope, position(last)) : null;
    return { items: shown.map(item), cursor };
  }

  return { encode, decode, page };
}

function countFitting<Row>(rows: readonly Row[], limit: number, bytesOf: (row: Row) => number): number {
  let bytes = 0;
  const past = rows.slice(0, limit).findIndex((row) => {
    bytes += bytesOf(row);
    return bytes > PAGE_BYTES;
  });
  return past === -1 ? limit : Math.max(past, 1);
}

export type Cursors = ReturnType<typeof createCursors>;
