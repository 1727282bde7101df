import type { PaymentStatus, Status } from '../order-histories.ts';

/** By the name of the status, in English or German. */
const STATUSES: Record<string, [Status, PaymentStatus]> = {
  pending: ['PENDING', 'PENDING'],
  'pending payment': ['PENDING', 'PENDING'],
  'zahlung ausstehend': ['PENDING', 'PENDING'],
  'on-hold': ['PENDING', 'PENDING'],
  'on hold': ['PENDING', 'PENDING'],
  wartend: ['PENDING', 'PENDING'],
  'in wartestellung': ['PENDING', 'PENDING'],
  processing: ['PROCESSING', 'PAID'],
  'in bearbeitung': ['PROCESSING', 'PAID'],
  shipped: ['SHIPPED', 'PAID'],
  versendet: ['SHIPPED', 'PAID'],
  completed: ['DELIVERED', 'PAID'],
  delivered: ['DELIVERED', 'PAID'],
  abgeschlossen: ['DELIVERED', 'PAID'],
  fertiggestellt: ['DELIVERED', 'PAID'],
  cancelled: ['CANCELLED', 'FAILED'],
  canceled: ['CANCELLED', 'FAILED'],
  storniert: ['CANCELLED', 'FAILED'],
  refunded: ['REFUNDED', 'REFUNDED'],
  rückerstattet: ['REFUNDED', 'REFUNDED'],
  erstattet: ['REFUNDED', 'REFUNDED'],
  failed: ['CANCELLED', 'FAILED'],
  fehlgeschlagen: ['CANCELLED', 'FAILED'],
};

/** Orders that were never placed. */
const SKIPPED = new Set(['draft', 'checkout-draft', 'auto-draft', 'trash', 'entwurf', 'papierkorb']);

export const isSkipped = (status: string) => SKIPPED.has(nameOf(status));

/** Undefined for a status that a plugin added. */
export const statusesOfName = (status: string): [Status, PaymentStatus] | undefined => STATUSES[nameOf(status)];

const nameOf = (status: string) => status.trim().toLowerCase().replace(/^wc-/, '');
