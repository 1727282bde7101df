import type { Db } from '../../../db/sql.ts';
import { localText } from '../../../shared/text/locales.ts';
import { type BusinessRow, businessLanguage, findMailText } from '../../businesses/index.ts';
import { findUsedMedia } from '../../media/index.ts';
import { lineId } from '../../pricing/index.ts';
import type { OrderServices } from '../context.ts';
import { findNewestDocument, numberOf } from '../documents/queries.ts';
import type { OrderRow } from '../order.ts';
import { findOrder } from '../queries.ts';
import { findReturn } from '../returns/queries.ts';
import { namedLines } from '../shipments/fulfillment.ts';
import { type LineImages, type MailDetails, type MailExtras, textKind } from './write-mail.ts';

/** Email clients don't display other formats. */
const SHOWN = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

type Reader = OrderServices & Readonly<{ db: Db; publicUrl: () => string }>;

/** Reads everything that an order's email shows besides the order. */
export async function findMailExtras(
  ctx: Reader,
  business: BusinessRow,
  order: OrderRow,
  kind: MailDetails['kind'],
): Promise<MailExtras> {
  const language = businessLanguage(business, order.doc.locale);
  const text = await findMailText(ctx, business.id, textKind(order, kind), language);
  const images = await findImages(ctx, order, language);
  const exchanged = kind === 'RECEIVED' ? await findExchanged(ctx, order, language) : null;
  const document = await findDocumentFor(ctx, order, kind);
  return { language, text, images, exchanged, document, publicUrl: ctx.publicUrl() };
}

/** The order and the items that an exchange replaces. */
async function findExchanged(
  ctx: Reader,
  { businessId, doc: { exchange } }: OrderRow,
  language: string,
): Promise<MailExtras['exchanged']> {
  const original = exchange ? await findOrder(ctx.db, businessId, exchange.orderId) : null;
  const row = exchange ? await findReturn(ctx.db, businessId, exchange.returnId) : null;
  if (!original || !row) return null;
  const images = await findImages(ctx, original, language);
  const items = row.doc.lines.flatMap((line) =>
    namedLines(original, [line]).map((named) => ({ ...named, image: images.get(line.lineId) })),
  );
  return { number: original.number, items };
}

/** The credit note of a refund, or the invoice. */
async function findDocumentFor(
  ctx: Reader,
  order: OrderRow,
  kind: MailDetails['kind'],
): Promise<MailExtras['document']> {
  if (!order.doc.hasDocuments) return null;
  const found = await findNewestDocument(ctx.db, order, kind === 'REFUNDED' ? 'CREDIT_NOTE' : 'INVOICE');
  return found && { id: found.id, type: found.type, number: numberOf(found) };
}

/** Thumbnails of the images that the lines had at the time of sale. A deleted file is shown without an image. */
export async function findImages(ctx: Reader, { businessId, doc }: OrderRow, language: string): Promise<LineImages> {
  const library = await findUsedMedia(
    { db: ctx.db, businessId, media: ctx.media },
    doc.lines.map(({ image }) => image?.id),
    ctx.media.baseUrl(),
  );
  const images = new Map<string, { url: string; alt: string }>();
  for (const [i, line] of doc.lines.entries()) {
    const { image } = line;
    const found = image && library.get(image.id);
    if (!image || (image.id.startsWith('media_') && !found)) continue;
    const { thumbnail: smallest, original } = found?.resolutions ?? {};
    // The thumbnail of an SVG or AVIF file is a PNG or JPEG. A file without one is served in its own format.
    const thumbnail = smallest?.url === original?.url ? undefined : smallest?.url;
    const url = thumbnail ?? found?.url ?? image.url;
    if ((thumbnail || SHOWN.includes(found?.mimeType ?? image.mimeType)) && /^https?:\/\//.test(url))
      images.set(lineId(line, i), { url, alt: localText(found?.alt, language) || line.name });
  }
  return images;
}
