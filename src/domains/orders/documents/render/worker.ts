/** The thread that renders documents, so that requests don't wait for it. */
import { parentPort } from 'node:worker_threads';
import type { DocumentRow } from '../queries.ts';
import { isEInvoice, writeEInvoice } from './e-invoice.ts';
import { type Attachments, renderPdf } from './pdf.ts';

export type RenderTask = Pick<Attachments, 'logo'> & { document: DocumentRow };
export type Rendered = { bytes: Uint8Array } | { error: string };

parentPort!.on('message', async ({ document, logo }: RenderTask) => {
  try {
    const isEmbedded = document.snapshot.format === 'FACTUR_X' && isEInvoice(document);
    const xml = isEmbedded ? writeEInvoice(document) : null;
    const bytes = new Uint8Array(await renderPdf(document, { logo, xml }));
    parentPort!.postMessage({ bytes } satisfies Rendered, [bytes.buffer]);
  } catch (error) {
    parentPort!.postMessage({ error: (error as Error).stack ?? String(error) } satisfies Rendered);
  }
});
