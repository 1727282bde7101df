import type { Outbound } from '../../providers/outbound/index.ts';
import type { ListedWebhook } from './webhook-queries.ts';

export type Webhooks = Readonly<{
  outbound: Outbound;
  nowMs(): number;
  seal(businessId: string, id: string, secret: string): string;
  /** The secrets that sign a call: the current one and, for a day after a rotation, the previous one. */
  secretsOf(webhook: ListedWebhook, nowSeconds: number): string[];
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly webhooks: Webhooks;
  }
}
