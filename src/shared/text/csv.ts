/** CSV that is safe to open in a spreadsheet: no cell runs as a formula. Pure. */

/**
 * Spreadsheets treat a cell with this prefix as a formula: some normalize full-width signs and skip leading invisible
 * characters. A leading apostrophe is escaped too, so that decoding is unambiguous.
 */
export const RISKY = /^(?:[\t\r\n']|[\p{White_Space}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

const safeCell = (text: string) => (RISKY.test(text) ? `'${text}` : text);

/** Numbers are written as they are: a negative number is not a formula. */
export const csvRow = (cells: readonly (string | number)[]) =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(cell))).join(',')}\r\n`;

function quoted(cell: string): string {
  const safe = safeCell(cell);
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
