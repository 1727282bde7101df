/** The actions of the clients and their responses, for the checker. */
import type { Json } from '../call.ts';

export type Outcome = { status: number; body: Json; etag: string | null };

export function startHistory() {
  return {
    /** Order IDs in responses to checkouts, by Idempotency-Key. */
    checkouts: new Map<string, Set<string>>(),
    /** Confirmed refunds, by order ID. */
    refunds: new Map<string, number>(),
    /** Confirmed shipments. */
    shipments: new Set<string>(),
    /** Units that staff added to the stock with a confirmed response, by product. */
    restocked: new Map<string, number>(),
    /** Violations that the clients noticed themselves. */
    violations: [] as string[],
    counts: new Map<string, number>(),
    count(action: string, { status }: Outcome): void {
      const key = `${action} ${status === 0 ? 'no response' : status}`;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    },
  };
}

export type History = ReturnType<typeof startHistory>;
