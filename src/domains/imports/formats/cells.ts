/** How our own CSV files hold values: written and read here, so that what is read is what was written. Pure. */

/**
 * A cell that begins like this is a formula to a spreadsheet: some read the wide forms as the plain ones, and pass over what cannot be
 * seen in front. The apostrophe itself is marked too, so that it can be told apart.
 */
const RISKY = /^(?:[\t\r\n']|[\p{White_Space}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

export const safeCell = (text: string) => (RISKY.test(text) ? `'${text}` : text);

export const plainCell = (cell: string) => (cell.startsWith("'") && RISKY.test(cell.slice(1)) ? cell.slice(1) : cell);

/** A text that begins like this would be taken for JSON. */
const LIKE_JSON = /^[[{"]/;

/** Text as it is, everything else as JSON; nothing is an empty cell. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value === '' || LIKE_JSON.test(value) ? JSON.stringify(value) : value;
  return JSON.stringify(value);
}

/** `isText`: what is no JSON is text; else it must be JSON. Undefined: it is neither. */
export function valueOfCell(cell: string, isText: boolean): unknown {
  if (cell === '') return null;
  if (isText && !LIKE_JSON.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return isText ? cell : undefined;
  }
}
