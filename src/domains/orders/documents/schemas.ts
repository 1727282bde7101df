import Type, { type Static } from 'typebox';
import { BusinessId, Currency, Id, MoneyMinor, Nullable, OneOf, Timestamp } from '../../../shared/schemas.ts';

export const DOCUMENT_TYPES = ['INVOICE', 'CREDIT_NOTE'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const DocumentId = Type.String({ ...Id, examples: ['doc_01jd3x8q6kz5v0n4t7w2m9c1ab'] });

export const OrderDocument = Type.Object({
  id: DocumentId,
  type: OneOf(DOCUMENT_TYPES),
  number: Type.String({ description: 'Prefix and number. Numbers have no gaps.', examples: ['INV-1'] }),
  issuedAt: Timestamp,
  total: MoneyMinor,
  currency: Currency,
  urls: Type.Object(
    {
      pdf: Type.String({ examples: ['https://souk.example/v1/businesses/biz_demo/orders/ord_1/documents/doc_1/pdf'] }),
      xml: Nullable(
        Type.String({
          description: 'The e-invoice. Null if the document is only a PDF.',
          examples: ['https://souk.example/v1/businesses/biz_demo/orders/ord_1/documents/doc_1/xml'],
        }),
      ),
    },
    { description: 'Download URLs. They require the same credentials as the order.' },
  ),
});
export type OrderDocument = Static<typeof OrderDocument>;

export const DocumentParams = Type.Object({ businessId: BusinessId, id: Id, documentId: DocumentId });
