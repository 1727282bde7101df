import type {
  ContentStatusEntry,
  OrderStatusEntry,
  PaymentStatusEntry,
  ProductStatusEntry,
  ScheduledContentStatus,
  ScheduledProductStatus,
} from './generated/types.ts';

/** A status entry of any record. */
export type StatusEntry = OrderStatusEntry | PaymentStatusEntry | ProductStatusEntry | ContentStatusEntry;

/** A status that is added to the statuses of a record at its `timestamp`. */
export type ScheduledStatus = ScheduledProductStatus | ScheduledContentStatus;
