import Type, { type Static } from 'typebox';
import { badRequest } from './errors.ts';
import { OneOf } from './schemas.ts';
import { createSigner } from './security/signing.ts';

/** Node accepts 16 KB for the URL and all headers. */
const MAX_CURSOR_LENGTH = 16_384;

export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 20,
      description: 'Page size. The maximum is 100; larger values are treated as 100.',
      examples: [20],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: MAX_CURSOR_LENGTH,
      description: 'The `cursor` of the previous page. Omit it, or send an empty string or `null`, for the first page.',
    }),
  ),
});
/** For lists that can count their records. */
export const CountedPageQuery = Type.Object({
  ...PageQuery.properties,
  count: Type.Optional(Type.Boolean({ description: 'Whether to add `total` to the response.', examples: [true] })),
});
export const SortDirection = OneOf(['asc', 'desc', 'ASC', 'DESC']);
export type PageQuery = Static<typeof PageQuery>;

export type CursorValue = string | number | boolean | null;
export type Page<T> = { items: T[]; cursor: string | null; total?: number };

/** Counting stops at this number. */
export const MAX_TOTAL = 10_000;

/** Adds the number of records on all pages, if the query asks for it. */
export async function addTotal<T>(
  page: Page<T>,
  { count: isCounted = false }: { count?: boolean },
  count: () => Promise<number>,
): Promise<Page<T>> {
  return isCounted ? { ...page, total: await count() } : page;
}

/** The approximate size limit of a page. Statements that read large rows stop after the row that exceeds it. */
export const PAGE_BYTES = 2 * 1024 * 1024;
/** How many of these rows fit into a page: up to `limit`, fewer if they are too large, but at least one. */
export function countRowsPerPage(rows: readonly { bytes: number }[], limit: number): number {
  return countWithinLimits(rows, limit, ({ bytes }) => bytes);
}

export const pageLimit = (limit: number | undefined) => Math.min(limit ?? 20, 100);

/** A multiple of three, so that its base64 has no padding. */
const SIGNATURE_BYTES = 9;
const SIGNATURE_LENGTH = 12;

/**
 * Opaque, signed positions in a list. The scope names the list and its order, so a cursor of one list or sort order is rejected by
 * another. The signature ensures that every value in a cursor was written by the service.
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
      throw badRequest('The cursor does not belong to this list.', [
        {
          field: 'cursor',
          error: 'INVALID_VALUE',
          message: 'cursor must be the cursor of the previous page, or omitted.',
        },
      ]);
    }
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  }

  /**
   * Builds a page from rows read with `limit + 1`; the extra row only shows that there is another page. `position` returns the
   * sort values of a row, which become the cursor. With `bytesOf`, the page ends before the row that exceeds PAGE_BYTES, but has
   * at least one row. The rows after it need not have been read.
   */
  function page<Row, Item>(
    scope: string,
    rows: readonly Row[],
    limit: number,
    position: (row: Row) => CursorValue[],
    item: (row: Row) => Item,
    bytesOf: (row: Row) => number = () => 0,
  ): Page<Item> {
    const count = countWithinLimits(rows, limit, bytesOf);
    const shown = rows.length > count ? rows.slice(0, count) : rows;
    const last = shown.at(-1);
    const cursor = rows.length > count && last !== undefined ? encode(scope, position(last)) : null;
    return { items: shown.map(item), cursor };
  }

  return { encode, decode, page };
}

function countWithinLimits<Row>(rows: readonly Row[], limit: number, bytesOf: (row: Row) => number): number {
  let bytes = 0;
  const exceeding = rows.slice(0, limit).findIndex((row) => {
    bytes += bytesOf(row);
    return bytes > PAGE_BYTES;
  });
  return exceeding === -1 ? limit : Math.max(exceeding, 1);
}

export type Cursors = ReturnType<typeof createCursors>;
