/** Formats CSV that is safe to open in a spreadsheet: no cell runs as a formula. Pure. */
import { safeCell } from '../formats/cells.ts';

export const csvRow = (cells: readonly string[]) => `${cells.map(quoted).join(',')}\r\n`;

function quoted(cell: string): string {
  const safe = safeCell(cell);
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
