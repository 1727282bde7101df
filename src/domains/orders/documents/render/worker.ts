/** The thread that prints documents, so that requests don't wait for it. */
import { parentPort } from 'node:worker_threads';
import type { DocumentRow } from '../queries.ts';
import { type Attachments, printPdf } from './pdf.ts';

export type PrintTask = Attachments & { document: DocumentRow };
export type Printed = { bytes: Uint8Array } | { error: string };

parentPort!.on('message', async ({ document, ...attachments }: PrintTask) => {
  try {
    const bytes = new Uint8Array(await printPdf(document, attachments));
    parentPort!.postMessage({ bytes } satisfies Printed, [bytes.buffer]);
  } catch (error) {
    parentPort!.postMessage({ error: (error as Error).stack ?? String(error) } satisfies Printed);
  }
});
