/** Encodes and decodes the cells of our own CSV files. Decoding an encoded value returns the same value. Pure. */

import { RISKY } from '../../../shared/text/csv.ts';
import type { Row } from './format.ts';

export const plainCell = (cell: string) => (cell.startsWith("'") && RISKY.test(cell.slice(1)) ? cell.slice(1) : cell);

/** Text with this prefix would be parsed as JSON. */
const LIKE_JSON = /^[[{"]/;

/** Encodes text as is and other values as JSON; null and undefined become an empty cell. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value === '' || LIKE_JSON.test(value) ? JSON.stringify(value) : value;
  return JSON.stringify(value);
}

/** Types of blocks whose values are written as plain text. */
export const isTextType = (type: string) => type === 'TEXT' || type === 'SELECT' || type === 'RELATIONSHIP';

/** With `isText`, a cell that is not JSON is text. Returns undefined if the cell is invalid. */
export function valueOfCell(cell: string, isText: boolean): unknown {
  if (cell === '') return null;
  if (isText && !LIKE_JSON.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return isText ? cell : undefined;
  }
}

/** The text of a cell as it was exported. */
export const textIn = (row: Row, column: string) => plainCell(row.raw(column));

/** A name chosen by a user, trimmed. It can start like a formula. */
export const nameIn = (row: Row, column: string) => plainCell(row.get(column));
