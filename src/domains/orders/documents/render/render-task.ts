/** Renders a document, in a thread. */
import type { DocumentRow } from '../queries.ts';
import { isEInvoice, writeEInvoice } from './e-invoice.ts';
import { type Attachments, renderPdf } from './pdf.ts';

export type RenderTask = Pick<Attachments, 'logo'> & { document: DocumentRow };

export async function convert({ document, logo }: RenderTask): Promise<Uint8Array> {
  const isEmbedded = document.snapshot.format === 'FACTUR_X' && isEInvoice(document);
  const xml = isEmbedded ? writeEInvoice(document) : null;
  return new Uint8Array(await renderPdf(document, { logo, xml }));
}
