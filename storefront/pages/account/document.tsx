import { isSoukError } from '@souk/client';
import { MISSING, page } from '../../page.ts';

/** An invoice or credit note: its PDF, or its e-invoice with `?format=xml`. */
export default page<null>({
  path: '/account/orders/:id/documents/:documentId',
  personal: true,
  async load({ souk, params, query }) {
    const { id, documentId } = params as { id: string; documentId: string };
    const isXml = query.get('format') === 'xml';
    try {
      const documents = await souk.orders.listDocuments(id).take(100);
      const number = documents.find((each) => each.id === documentId)?.number;
      if (number === undefined) return MISSING;
      const response = await (isXml
        ? souk.orders.getDocumentXml(id, documentId)
        : souk.orders.getDocumentPdf(id, documentId));
      return {
        file: {
          name: `${number}.${isXml ? 'xml' : 'pdf'}`,
          type: isXml ? 'application/xml' : 'application/pdf',
          body: new Uint8Array(await response.arrayBuffer()),
        },
      };
    } catch (error) {
      if (isSoukError(error, 'NOT_FOUND', 'FORBIDDEN')) return MISSING;
      throw error;
    }
  },
  View: () => <main id="main" />,
});
