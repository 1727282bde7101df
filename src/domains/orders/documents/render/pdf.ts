/** Renders a document as PDF/A-3b, from its snapshot only: the same document is always the same file. */
import { addressLines, countryName } from '../../../../shared/addresses/index.ts';
import type { Address } from '../../../../shared/schemas.ts';
import { isCard } from '../../../pricing/index.ts';
import { type DocumentRow, numberOf } from '../queries.ts';
import { columnsOf, drawLines } from './draw-lines.ts';
import { embedEInvoice } from './embed.ts';
import { formatsFor } from './format.ts';
import type { Layout } from './layout.ts';
import { createPaper, HAIRLINE, INK, MARGIN, type Paper, QUIET } from './paper.ts';
import { supplyText } from './supply.ts';
import { textsIn } from './texts.ts';
import { categoryOf, exemptionOf, sharesOf } from './vat-category.ts';

export type Attachments = {
  /** PNG or JPEG. */
  logo: Uint8Array | null;
  /** The e-invoice to embed. */
  xml: string | null;
};

const LOGO = { width: 150, height: 52 };
const FOOTER = 78;

export async function renderPdf(document: DocumentRow, { logo, xml }: Attachments): Promise<Buffer> {
  const { snapshot, currency } = document;
  const texts = textsIn(snapshot.language);
  const format = formatsFor(snapshot, currency);
  const title = `${titleOf(document, texts)} ${numberOf(document)}`;
  const paper = createPaper({
    size: snapshot.paperSize,
    language: snapshot.language,
    title,
    author: snapshot.seller.name,
    subject: `${texts.order} ${snapshot.orderNumber}`,
    createdAt: new Date(document.issuedAt * 1000),
  });
  const addPage = () => {
    paper.pdf.addPage();
    return MARGIN;
  };
  addPage();
  const { width, height } = paper.pdf.page;
  const layout: Layout = {
    paper,
    document,
    texts,
    format,
    width: width - 2 * MARGIN,
    bottom: height - FOOTER - 12,
    newPage() {
      addPage();
      paper.text(`${title} (${texts.continued})`, MARGIN, MARGIN, { color: QUIET });
      return MARGIN + 24;
    },
  };
  let y = drawHeader(layout, logo);
  y = drawParties(layout, y + 22);
  y = drawHeadline(layout, y + 22);
  y = drawLines(layout, y + 18);
  y = drawTotals(layout, y + 6);
  y = drawTaxes(layout, y + 22);
  drawNotes(layout, y + 18);
  drawFooters(layout);
  if (xml !== null) embedEInvoice(paper, document, xml);
  return paper.bytes();
}

const titleOf = ({ type, snapshot }: DocumentRow, texts: Layout['texts']) =>
  type === 'INVOICE' && snapshot.parts ? texts.REVERSAL : texts[type];

function drawHeader({ paper, document, texts, format, width }: Layout, logo: Uint8Array | null): number {
  const { snapshot, type, issuedAt } = document;
  const { corrects, paymentMethod } = snapshot;
  const right = MARGIN + width;
  const titleWidth = width - LOGO.width - 20;
  const titleEnd = paper.text(titleOf(document, texts), MARGIN, MARGIN - 4, {
    size: 22,
    bold: true,
    width: titleWidth,
  });
  if (!drawLogo(paper, logo, right)) {
    const style = { size: 12, bold: true, align: 'right' as const, width: LOGO.width };
    paper.text(snapshot.seller.name, right - LOGO.width, MARGIN, style);
  }
  const method = paymentMethod === null ? '' : (texts.methods[isCard(paymentMethod) ? 'CARD' : paymentMethod] ?? '');
  const facts: [string, string][] = [
    [texts.number[type], numberOf(document)],
    [texts.issued, format.day(issuedAt)],
    [texts.supplied, supplyText(document)],
    [texts.order, texts.dated(`#${snapshot.orderNumber}`, format.day(snapshot.order.placedAt))],
    [texts.corrects[type], corrects ? texts.dated(corrects.number, format.day(corrects.issuedAt)) : ''],
    [texts.payment, method],
  ];
  let y = Math.max(titleEnd, MARGIN + 30) + 12;
  for (const [name, value] of facts.filter(([, text]) => text !== '')) {
    paper.text(name, MARGIN, y, { color: QUIET });
    y = Math.max(y + 15, paper.text(value, MARGIN + 110, y, { bold: name === texts.number[type], width: 250 }) + 2);
  }
  return y;
}

/** A damaged image is left out. */
function drawLogo({ pdf }: Paper, logo: Uint8Array | null, right: number): boolean {
  if (logo === null) return false;
  try {
    pdf.image(Buffer.from(logo) as never, right - LOGO.width, MARGIN - 6, {
      fit: [LOGO.width, LOGO.height],
      align: 'right',
    });
    return true;
  } catch {
    return false;
  }
}

/** The address in the language of the document. */
function linesOf(address: Partial<Address>, language: string): string[] {
  const { country = '', ...rest } = address;
  const lines = addressLines({ ...rest, country });
  return country === '' ? lines : [...lines.slice(0, -1), countryName(country, language)];
}

function drawParties({ paper, document, texts, width }: Layout, top: number): number {
  const { seller, buyer, shipTo, language } = document.snapshot;
  const sellerLines = [
    ...linesOf({ ...seller.address, name: '', company: '' }, language),
    seller.email ?? '',
    seller.phone ?? '',
    seller.vatId ? `${texts.vatId} ${seller.vatId}` : '',
  ];
  const partyLines = (address: Address) => {
    const { company = '', name = '' } = address;
    const [first, ...others] = [company, name].filter(Boolean);
    const lines = [...others, ...linesOf({ ...address, name: '', company: '' }, language)];
    return { first: first ?? '', lines };
  };
  const columns: { title: string; first: string; lines: string[] }[] = [
    { title: texts.from, first: seller.name, lines: sellerLines },
  ];
  if (buyer) {
    const { first, lines } = partyLines(buyer);
    columns.push({ title: texts.billTo, first, lines: [...lines, buyer.vatId ? `${texts.vatId} ${buyer.vatId}` : ''] });
  }
  if (shipTo) columns.push({ title: texts.shipTo, ...partyLines(shipTo) });
  const columnWidth = (width - 2 * 20) / 3;
  let end = top;
  for (const [i, { title, first, lines }] of columns.entries()) {
    const x = MARGIN + i * (columnWidth + 20);
    let y = paper.text(title, x, top, { bold: true, width: columnWidth }) + 2;
    if (first) y = paper.text(first, x, y, { width: columnWidth });
    for (const line of lines.filter(Boolean)) y = paper.text(line, x, y, { color: '#4b5563', width: columnWidth });
    end = Math.max(end, y);
  }
  return end;
}

/** The amount, shown most prominently. */
function drawHeadline({ paper, document, texts, format, width }: Layout, y: number): number {
  const { total, issuedAt, type, snapshot } = document;
  const amount = format.money(total);
  const text =
    type === 'CREDIT_NOTE'
      ? texts.credited(amount, format.day(issuedAt))
      : total === 0
        ? texts.nothingToPay
        : texts.paid(amount, format.day(issuedAt));
  const end = paper.text(text, MARGIN, y, { size: 15, bold: true, width });
  if (snapshot.reason === null) return end;
  return paper.text(`${texts.reason}: ${snapshot.reason}`, MARGIN, end + 4, { color: QUIET, width });
}

function drawTotals(layout: Layout, top: number): number {
  const { paper, document, texts, format, width } = layout;
  const { rows, taxIncluded } = document.snapshot;
  const x = MARGIN + width / 2;
  const half = width / 2;
  let y = top + 22 * (rows.length + 1) > layout.bottom ? layout.newPage() : top;
  const row = (name: string, amount: string, bold: boolean) => {
    paper.text(name, x, y + 5, { bold, width: half - 110 });
    y = paper.text(amount, x + half - 110, y + 5, { bold, align: 'right', width: 110 }) + 4;
  };
  for (const { kind, name = '', amount } of rows) {
    row(kind === 'TAX' ? taxName(name, layout) : (texts.rows[kind] ?? ''), format.money(amount), false);
    paper.rule(x, y, half);
  }
  row(document.type === 'INVOICE' ? texts.total : texts.totalCredited, format.money(document.total), true);
  paper.rule(x, y, half, INK);
  if (!taxIncluded || document.snapshot.taxLines.every(({ amount }) => amount === 0)) return y;
  return paper.text(texts.taxIncluded, x, y + 6, { size: 8, color: QUIET, align: 'right', width: half });
}

/**
 * Tax names come from the business, except the default names, which are translated. The rate of a market has no name: as in the shop, it
 * is VAT where prices include it.
 */
export function taxName(
  name: string,
  { texts: { taxNames }, format, document: { snapshot } }: Pick<Layout, 'texts' | 'format' | 'document'>,
): string {
  const [, given = name, rate] = /^(.*?)(?: (\d+(?:\.\d+)?)%)?$/.exec(name) ?? [];
  const word = given === 'Tax' && snapshot.taxIncluded ? 'VAT' : given;
  return `${taxNames[word] ?? word}${rate ? ` ${format.rate(Number(rate) * 100)}` : ''}`;
}

function drawTaxes(layout: Layout, top: number): number {
  const { paper, document, texts, format, width } = layout;
  const taxes = document.snapshot.taxLines.filter(({ base }) => base > 0);
  if (taxes.length === 0) return top - 22;
  let y = top + 18 * (taxes.length + 1) > layout.bottom ? layout.newPage() : top;
  const columns = columnsOf(width, [
    { key: 'name', share: 40 },
    { key: 'base', share: 20, align: 'right' },
    { key: 'tax', share: 20, align: 'right' },
    { key: 'gross', share: 20, align: 'right' },
  ]);
  const row = (cells: Record<string, string>, color: string) => {
    for (const { key, x, width: cell, align } of columns)
      paper.text(cells[key]!, MARGIN + x, y + 4, { size: 8, color, align, width: cell });
    y += 18;
    paper.rule(MARGIN, y, width, HAIRLINE);
  };
  row({ name: texts.taxSummary, base: texts.net, tax: texts.tax, gross: texts.gross }, QUIET);
  for (const { name, bps, base, amount } of taxes) {
    const label = name.includes('%') ? taxName(name, layout) : `${taxName(name, layout)} ${format.rate(bps)}`;
    const cells = { base: format.money(base), tax: format.money(amount), gross: format.money(base + amount) };
    row({ name: label, ...cells }, INK);
  }
  return y;
}

function drawNotes(layout: Layout, top: number): void {
  const { paper, document, texts, width } = layout;
  const { snapshot } = document;
  const reasons = sharesOf(snapshot).map(({ bps }) => exemptionOf(categoryOf(bps, snapshot), texts)?.text ?? '');
  // A seller without any tax settings has to give the reason in the legal text.
  const isTaxed = snapshot.taxLines.length > 0;
  const notes = [...new Set(isTaxed ? reasons : []), snapshot.legalText.trim()].filter(Boolean);
  let y = top;
  for (const note of notes) {
    const style = { size: 8.5, color: '#4b5563', width };
    if (y + paper.height(note, style) > layout.bottom) y = layout.newPage();
    y = paper.text(note, MARGIN, y, style) + 6;
  }
}

/** On every page: who issued the document, where to pay, and the page number. */
function drawFooters({ paper, document, texts, width }: Layout): void {
  const { seller } = document.snapshot;
  const { pdf } = paper;
  const { bank } = seller;
  const place = linesOf({ ...seller.address, name: '', company: '' }, document.snapshot.language).join(', ');
  const lines = [
    [seller.name, place].filter(Boolean).join(' · '),
    [
      seller.registration ?? '',
      seller.vatId ? `${texts.vatId} ${seller.vatId}` : '',
      seller.taxNumber ? `${texts.taxNumber} ${seller.taxNumber}` : '',
    ],
    bank
      ? [texts.bank, bank.holder ?? '', `IBAN ${groups(bank.iban)}`, bank.bic ? `BIC ${bank.bic.toUpperCase()}` : '']
      : '',
  ].map((line) => (typeof line === 'string' ? line : line.filter(Boolean).join(' · ')));
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    let y = pdf.page.height - FOOTER;
    paper.rule(MARGIN, y, width);
    y += 10;
    const style = { size: 7.5, color: QUIET };
    const label = `${numberOf(document)} · ${texts.page(page + 1, count)}`;
    paper.text(label, MARGIN + width - 150, y, { ...style, align: 'right', width: 150 });
    for (const [i, line] of lines.filter(Boolean).entries()) {
      // The first line leaves space for the page number.
      y = paper.text(line, MARGIN, y, { ...style, width: i === 0 ? width - 160 : width }) + 1;
    }
  }
}

const groups = (iban: string) => iban.replaceAll(/(.{4})(?=.)/g, '$1 ');
