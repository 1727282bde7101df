/** The thread that prints documents, so that requests don't wait for it. */
import { parentPort } from 'node:worker_threads';
import type { DocumentRow } from '../queries.ts';
import { isEInvoice, writeEInvoice } from './e-invoice.ts';
import { type Attachments, printPdf } from './pdf.ts';

export type PrintTask = Pick<Attachments, 'logo'> & { document: DocumentRow };
export type Printed = { bytes: Uint8Array } | { error: string };

parentPort!.on('message', async ({ document, logo }: PrintTask) => {
  try {
    const isEmbedded = document.snapshot.format === 'FACTUR_X' && isEInvoice(document);
    const xml = isEmbedded ? writeEInvoice(document) : null;
    const bytes = new Uint8Array(await printPdf(document, { logo, xml }));
    parentPort!.postMessage({ bytes } satisfies Printed, [bytes.buffer]);
  } catch (error) {
    parentPort!.postMessage({ error: (error as Error).stack ?? String(error) } satisfies Printed);
  }
});
