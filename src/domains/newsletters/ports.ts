import type { Db, Tx } from '../../db/connection.ts';
import type { BlockDefinition, BlockValue } from '../../shared/blocks.ts';
import type { StatusEntry } from '../../shared/statuses.ts';
import type { OnUnknown } from './send-queries.ts';

export type Plan = { id: string; name: string; price?: { amount: number; currency: string } };

export type Collection = {
  id: string;
  name: string;
  type: string;
  blocks: BlockDefinition[];
  statuses: StatusEntry[];
  plans: Plan[];
  settings: { onUnknown?: OnUnknown; fromName?: string; replyTo?: string };
};

export type Entry = {
  id: string;
  businessId: string;
  owner: string;
  locale: string;
  blocks: BlockValue[];
  statuses: StatusEntry[];
};

export type Content = {
  getCollection(db: Db, businessId: string, id: string): Promise<Collection>;
  getEntry(db: Db, businessId: string, id: string): Promise<Entry>;
};

export type Payments = {
  begin(wanted: {
    businessId: string;
    purpose: 'SUBSCRIPTION';
    reference: string;
    amount: number;
    currency: string;
    description: string;
    email: string;
    returnUrl: string | null;
    cancelUrl: string | null;
  }): Promise<{ url: string }>;
  onPaid(
    purpose: 'SUBSCRIPTION',
    paid: (tx: Tx, payment: { businessId: string; reference: string }) => Promise<'REFUND' | undefined>,
  ): void;
};
