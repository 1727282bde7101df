import type { AgreementRow } from './agreements/queries.ts';
import type { Command } from './context.ts';
import type { PaymentRow } from './queries.ts';
import type { RefundRow } from './refund-queries.ts';

/** What happens to the thing that is sold. All run in the transaction that changes the payment or refund. */
export type PaymentHandlers<Sold> = {
  /** Reads it and locks it, before the payment is locked. */
  lock(ctx: Command, reference: string): Promise<Sold>;
  /** REFUND: there is nothing to be had for this money any more. */
  paid(ctx: Command, payment: PaymentRow, sold: Sold): Promise<'REFUND' | 'ACCEPT'>;
  /** Less than was asked for has arrived, or another currency. It goes back, and there is nothing more to come. */
  misfit?(ctx: Command, payment: PaymentRow, sold: Sold): Promise<void>;
  /** It can still be paid. */
  declined?(ctx: Command, payment: PaymentRow, sold: Sold): Promise<void>;
  /** It cannot be paid any more. */
  closed?(ctx: Command, payment: PaymentRow, sold: Sold): Promise<void>;
  /** The customer has closed it. */
  givenUp?(ctx: Command, payment: PaymentRow, sold: Sold): Promise<void>;
  /** The money is on its way back. */
  refunded?(ctx: Command, refund: RefundRow, sold: Sold): Promise<void>;
  /** The provider will not give this money back. */
  refundRefused?(ctx: Command, refund: RefundRow, sold: Sold): Promise<void>;
  /** Another period is paid. Called once for each. */
  renewed?(ctx: Command, agreement: AgreementRow, sold: Sold): Promise<void>;
  /** The next period could not be charged. Called once for each; the provider tries on. */
  renewalFailed?(ctx: Command, agreement: AgreementRow, sold: Sold): Promise<void>;
  /** It does not renew any more, and the last period is over or given up. */
  ended?(ctx: Command, agreement: AgreementRow, sold: Sold): Promise<void>;
};

export function createHandlers() {
  const byPurpose = new Map<string, PaymentHandlers<unknown>>();

  function handle<Sold>(purpose: string, handlers: PaymentHandlers<Sold>): void {
    byPurpose.set(purpose, handlers as PaymentHandlers<unknown>);
  }

  return {
    handle,
    handlersOf(purpose: string): PaymentHandlers<unknown> {
      const found = byPurpose.get(purpose);
      if (!found) throw new Error(`Nobody takes payments for ${purpose}.`);
      return found;
    },
    /** Called once for each payment of this purpose, in the transaction that notes it as paid; `REFUND` sends it back. */
    onPaid(purpose: string, paid: (ctx: Command, payment: PaymentRow) => Promise<unknown>): void {
      handle<null>(purpose, {
        lock: async () => null,
        paid: async (ctx, payment) => ((await paid(ctx, payment)) === 'REFUND' ? 'REFUND' : 'ACCEPT'),
      });
    },
  };
}
