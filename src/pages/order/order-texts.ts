/** The texts of the order page that order emails don't have. */
import type { Language } from '../../shared/mail/languages.ts';

const en = {
  statuses: {
    PENDING: 'Order placed',
    PROCESSING: 'Processing',
    SHIPPED: 'Shipped',
    DELIVERED: 'Delivered',
    CANCELLED: 'Canceled',
    REFUNDED: 'Refunded',
  } as Record<string, string>,
  partlyShipped: 'Partially shipped',
  payments: {
    PENDING: 'Not paid yet',
    PAID: 'Paid',
    FAILED: 'Payment failed',
    PARTIALLY_REFUNDED: 'Partially refunded',
    REFUNDED: 'Refunded',
  } as Record<string, string>,
  pay: (amount: string) => `Pay ${amount}`,
  shipment: 'Shipment',
  documents: 'Documents',
  bankTransfer: 'Bank transfer',
  transferText: 'Transfer the amount to this account and include the reference.',
  invalidLink: 'Order not found',
  invalidLinkText: 'This link is invalid. Use the link in your latest order email.',
};

const de: typeof en = {
  statuses: {
    PENDING: 'Bestellung eingegangen',
    PROCESSING: 'In Bearbeitung',
    SHIPPED: 'Versandt',
    DELIVERED: 'Zugestellt',
    CANCELLED: 'Storniert',
    REFUNDED: 'Erstattet',
  },
  partlyShipped: 'Teilweise versandt',
  payments: {
    PENDING: 'Noch nicht bezahlt',
    PAID: 'Bezahlt',
    FAILED: 'Zahlung fehlgeschlagen',
    PARTIALLY_REFUNDED: 'Teilweise erstattet',
    REFUNDED: 'Erstattet',
  },
  pay: (amount: string) => `${amount} bezahlen`,
  shipment: 'Lieferung',
  documents: 'Dokumente',
  bankTransfer: 'Überweisung',
  transferText: 'Überweise den Betrag auf dieses Konto und gib den Verwendungszweck an.',
  invalidLink: 'Bestellung nicht gefunden',
  invalidLinkText: 'Dieser Link ist ungültig. Verwende den Link in der neuesten E-Mail zu deiner Bestellung.',
};

export const orderTexts = (language: Language) => ({ en, de })[language];
