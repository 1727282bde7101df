/** The table of items on a document. */
import type { SnapshotLine } from '../snapshot-schemas.ts';
import type { Layout } from './layout.ts';
import { HAIRLINE, INK, MARGIN, QUIET } from './paper.ts';

type Column = { key: string; share: number; align?: 'left' | 'right' };
const GAP = 10;

/** Places columns next to each other. `share` is a percentage of the width. */
export function columnsOf(width: number, columns: readonly Column[]) {
  let x = 0;
  return columns.map(({ key, share, align = 'left' }, i) => {
    const whole = (width * share) / 100;
    const column = { key, x, width: whole - (i < columns.length - 1 ? GAP : 0), align };
    x += whole;
    return column;
  });
}

export function drawLines(layout: Layout, top: number): number {
  const { paper, document, texts, format, width } = layout;
  const { lines } = document.snapshot;
  const hasPrices = lines.some(({ unitPrice }) => unitPrice !== null);
  const hasTax = document.snapshot.taxLines.length > 0;
  const columns = columnsOf(width, [
    { key: 'name', share: (hasPrices ? 50 : 67) + (hasTax ? 0 : 10) },
    { key: 'quantity', share: 8, align: 'right' },
    ...(hasPrices ? [{ key: 'unitPrice', share: 17, align: 'right' as const }] : []),
    ...(hasTax ? [{ key: 'tax', share: 10, align: 'right' as const }] : []),
    { key: 'amount', share: 15, align: 'right' },
  ]);
  const cells = (texts: Record<string, string>, y: number, style: object) => {
    let end = y;
    for (const { key, x, width: cell, align } of columns) {
      end = Math.max(end, paper.text(texts[key] ?? '', MARGIN + x, y, { ...style, align, width: cell }));
    }
    return end;
  };
  const header = (y: number) => {
    const names = { name: texts.description, tax: texts.taxRate, ...pick(texts) };
    const end = cells(names, y, { size: 8, color: QUIET }) + 5;
    paper.rule(MARGIN, end, width, INK);
    return end;
  };
  let y = header(top);
  for (const line of lines) {
    const { name } = line;
    const details = detailsOf(line, texts.sku);
    const nameWidth = columns[0]!.width;
    const needed = paper.height(name, { width: nameWidth }) + paper.height(details, { size: 8, width: nameWidth }) + 12;
    if (y + needed > layout.bottom) y = header(layout.newPage());
    const start = y + 6;
    const row = {
      name,
      quantity: line.quantity === 0 ? '–' : format.quantity(line.quantity),
      unitPrice: line.unitPrice === null ? '' : format.money(line.unitPrice),
      tax: document.snapshot.taxExempt ? '–' : format.rate(line.share.bps),
      amount: format.money(line.amount),
    };
    let end = cells(row, start, {});
    if (details) {
      const below = start + paper.height(name, { width: nameWidth });
      end = Math.max(end, paper.text(details, MARGIN, below, { size: 8, color: QUIET, width: nameWidth }));
    }
    y = end + 5;
    paper.rule(MARGIN, y, width, HAIRLINE);
  }
  return y;
}

const pick = ({ quantity, unitPrice, amount }: Layout['texts']) => ({ quantity, unitPrice, amount });

const detailsOf = ({ details, sku }: SnapshotLine, label: string) =>
  [details, sku ? `${label} ${sku}` : ''].filter(Boolean).join(' · ');
