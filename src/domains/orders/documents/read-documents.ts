import { notFound } from '../../../shared/errors.ts';
import type { Page } from '../../../shared/paging.ts';
import { type BusinessRow, getBusiness } from '../../businesses/index.ts';
import { readImage } from '../../media/index.ts';
import type { Query, Steps } from '../context.ts';
import { readOrder } from '../read-orders.ts';
import { type DocumentRow, findDocument, listDocumentRows, numberOf } from './queries.ts';
import { isEInvoice, writeEInvoice } from './render/e-invoice.ts';
import { sampleDocument } from './sample.ts';
import type { OrderDocument } from './schemas.ts';

/** Callers who can see the order can see its documents, oldest first. */
export async function readDocuments(ctx: Query, orderId: string): Promise<Page<OrderDocument>> {
  await readOrder(ctx, { id: orderId });
  const rows = await listDocumentRows(ctx.db, ctx.businessId, orderId);
  const base = `${ctx.publicUrl()}/v1/businesses/${ctx.businessId}/orders/${orderId}/documents`;
  return { items: rows.map((row) => viewDocument(row, base)), cursor: null };
}

/** `base` is the base URL for the documents of the order. */
export function viewDocument(row: DocumentRow, base: string): OrderDocument {
  const { id, type, issuedAt, total, currency } = row;
  const urls = { pdf: `${base}/${id}/pdf`, xml: isEInvoice(row) ? `${base}/${id}/xml` : null };
  return { id, type, number: numberOf(row), issuedAt, total, currency, urls };
}

export type DocumentFile = { fileName: string; contentType: string; content: string | Buffer };
/** `signal` is aborted when the client closes the connection. */
type FileRequest = { orderId: string; documentId: string; format: 'pdf' | 'xml'; signal?: AbortSignal };

/** Per user or, for links in emails, per IP address. */
const LIMIT = { name: 'document', max: 300, windowSeconds: 300 };

export async function downloadDocument(ctx: Steps, request: FileRequest): Promise<DocumentFile> {
  await readOrder(ctx, { id: request.orderId });
  return renderDocument(ctx, request, ctx.caller.userId);
}

/** Does not check access. The file is the same each time, except that a deleted logo is left out. */
export async function renderDocument(
  ctx: Steps,
  { orderId, documentId, format, signal }: FileRequest,
  limitedBy: string,
): Promise<DocumentFile> {
  await ctx.callLimits.consume(ctx, LIMIT, limitedBy);
  const document = await findDocument(ctx.db, ctx.businessId, orderId, documentId);
  if (!document || (format === 'xml' && !isEInvoice(document))) throw notFound('Document');
  const fileName = `${numberOf(document)}.${format}`.replaceAll('/', '-');
  if (format === 'xml')
    return { fileName, contentType: 'application/xml; charset=utf-8', content: writeEInvoice(document) };
  return { fileName, contentType: 'application/pdf', content: await renderWithLogo(ctx, document, signal) };
}

async function renderWithLogo(ctx: Query, document: DocumentRow, signal?: AbortSignal): Promise<Buffer> {
  const { logoId } = document.snapshot.seller;
  const logo = logoId ? await readImage(ctx, logoId).catch(() => null) : null;
  return ctx.orders.renderer.render({ document, logo }, signal);
}

/** A sample invoice with the settings of the business. It has no number and is not stored. */
export async function previewInvoice(ctx: Steps, signal?: AbortSignal): Promise<DocumentFile> {
  await ctx.callLimits.consume(ctx, LIMIT, ctx.caller.userId);
  const business: BusinessRow = await getBusiness(ctx, ctx.businessId);
  const content = await renderWithLogo(ctx, sampleDocument(business, ctx.now), signal);
  return { fileName: 'preview.pdf', contentType: 'application/pdf', content };
}
