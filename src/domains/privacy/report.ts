import type { Kept } from '../../context/personal-data.ts';

/** Counts of erased records by holder, and of kept records with the reason. Contains no personal data. */
export type Report = { erased: { what: string; count: number }[]; kept: Kept[] };

export const EMPTY: Report = { erased: [], kept: [] };

export function addToReport(report: Report, what: string, count: number, kept: readonly Kept[] = []): Report {
  return {
    erased: add(report.erased, [{ what, count }], (item) => item.what),
    kept: add(report.kept, kept, (item) => `${item.what} ${item.reason}`),
  };
}

export const addReports = (a: Report, b: Report): Report => ({
  erased: add(a.erased, b.erased, (item) => item.what),
  kept: add(a.kept, b.kept, (item) => `${item.what} ${item.reason}`),
});

function add<Item extends { count: number }>(
  items: readonly Item[],
  more: readonly Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const sums = new Map(items.map((item) => [keyOf(item), item]));
  for (const item of more) {
    if (item.count === 0) continue;
    const known = sums.get(keyOf(item));
    sums.set(keyOf(item), { ...item, count: item.count + (known?.count ?? 0) });
  }
  return [...sums.values()];
}
