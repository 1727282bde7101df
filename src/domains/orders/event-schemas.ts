import Type from 'typebox';
import { Id, MoneyMinor, OneOf } from '../../shared/schemas.ts';
import { ListedStatement } from './bank-transfer/schemas.ts';
import { OrderDocument } from './documents/schemas.ts';
import { ALL_MAIL_KINDS } from './mails/schemas.ts';
import { OrderDispute, Refund } from './money/schemas.ts';
import { Return } from './returns/schemas.ts';
import { Order } from './schemas.ts';
import { Shipment } from './shipments/schemas.ts';
import { OrderNote } from './work/schemas.ts';

const order = { orderId: Id, number: Order.properties.number };

export const RefundedOrder = Type.Object({
  ...Order.properties,
  refundedAmount: Type.Integer({ ...MoneyMinor, description: 'The amount of this refund.' }),
  refund: Type.Pick(Refund, ['id', 'amount', 'reason', 'parts']),
});
export const DisputedOrder = Type.Object({ ...Order.properties, dispute: OrderDispute });
export const MailedOrder = Type.Object({
  ...Order.properties,
  mail: OneOf(ALL_MAIL_KINDS, { description: 'The kind of email.' }),
});
export const DocumentSummary = Type.Pick(OrderDocument, ['id', 'type', 'issuedAt', 'total', 'currency']);
export const IssuedDocument = Type.Object({
  orderId: Id,
  number: OrderDocument.properties.number,
  document: DocumentSummary,
});
export const NoteOfOrder = Type.Object({ ...OrderNote.properties, ...order });
export const ShipmentOfOrder = Type.Object({ ...Shipment.properties, ...order });
export const UploadedStatement = Type.Omit(ListedStatement, ['userId', 'booked']);
export const DeletedStatement = Type.Omit(UploadedStatement, ['count']);

/** The data of each event type. */
export const orderEvents = {
  'order.created': Order,
  'order.imported': Order,
  'order.updated': Order,
  'order.status_changed': Order,
  'order.payment_changed': Order,
  'order.refunded': RefundedOrder,
  'order.disputed': DisputedOrder,
  'order.invoiced': IssuedDocument,
  'order.credited': IssuedDocument,
  'order.mail_resent': MailedOrder,
  'order.mail_withheld': MailedOrder,
  'order.note_created': NoteOfOrder,
  'order.note_updated': NoteOfOrder,
  'order.note_deleted': NoteOfOrder,
  'bank_statement.created': UploadedStatement,
  'bank_statement.deleted': DeletedStatement,
  'shipment.created': ShipmentOfOrder,
  'shipment.updated': ShipmentOfOrder,
  'shipment.deleted': ShipmentOfOrder,
  'return.requested': Return,
  'return.approved': Return,
  'return.rejected': Return,
  'return.received': Return,
  'return.closed': Return,
};
