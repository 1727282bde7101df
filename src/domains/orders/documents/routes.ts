import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { closing } from '../../../http/closing.ts';
import { query, stream } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf } from '../../../shared/schemas.ts';
import { downloadDocument, previewInvoice, readDocuments } from './read-documents.ts';
import { DocumentParams, OrderDocument } from './schemas.ts';

const BUSINESS = '/v1/businesses/:businessId';
const DOCUMENTS = `${BUSINESS}/orders/:id/documents`;
const tags = ['Orders'];
const File = Type.String({ description: 'The file.' });

export function documentRoutes(app: App): void {
  app.get(
    DOCUMENTS,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ' },
      schema: {
        tags,
        operationId: 'listDocuments',
        summary: "List an order's invoices and credit notes",
        description:
          'Returns all invoices and credit notes, oldest first. Depending on the settings, an order gets its invoice when it is paid or when its first items are shipped. Each refund gets a credit note.',
        params: BusinessRecordParams,
        response: { 200: PageOf(OrderDocument) },
      },
    },
    (request) => query(request, readDocuments, request.params.id),
  );

  for (const format of ['pdf', 'xml'] as const) {
    app.get(
      `${DOCUMENTS}/:documentId/${format}`,
      {
        config: { access: 'token', widenedBy: 'ORDER_READ' },
        schema: {
          tags,
          operationId: format === 'pdf' ? 'getDocumentPdf' : 'getDocumentXml',
          summary: format === 'pdf' ? 'Download a document' : 'Download an e-invoice',
          description:
            format === 'pdf'
              ? 'Returns the invoice or credit note as PDF/A-3.'
              : 'Returns the EN 16931 e-invoice as XML, in CII or UBL syntax. Fails with 404 if the document is only a PDF.',
          produces: [format === 'pdf' ? 'application/pdf' : 'application/xml'],
          params: DocumentParams,
          response: { 200: File },
        },
      },
      async (request, reply) => {
        const { id: orderId, documentId } = request.params;
        return sendFile(
          reply,
          await stream(request, downloadDocument, { orderId, documentId, format, signal: closing(reply) }),
        );
      },
    );
  }

  app.get(
    `${BUSINESS}/invoice-preview`,
    {
      config: { access: 'BUSINESS_WRITE' },
      schema: {
        tags: ['Businesses'],
        operationId: 'previewInvoice',
        summary: 'Preview an invoice',
        description: 'Returns a sample invoice with the settings of the business. Nothing is stored.',
        produces: ['application/pdf'],
        params: BusinessParams,
        response: { 200: File },
      },
    },
    async (request, reply) => sendFile(reply, await stream(request, previewInvoice, closing(reply))),
  );
}

type File = { fileName: string; contentType: string; content: string | Buffer };

const sendFile = (reply: FastifyReply, { fileName, contentType, content }: File): never =>
  reply
    .header('content-type', contentType)
    .header('content-disposition', `inline; filename="${fileName}"`)
    .header('cache-control', 'private, no-store')
    .send(Buffer.from(content as string)) as never;
