import type { Sandbox } from '../../providers/payments/sandbox.ts';
import type { StripeGateway } from '../../providers/payments/stripe.ts';
import type { PaymentHandlers } from './handlers.ts';

export type Payments = Readonly<{
  sandbox: Sandbox;
  stripe: StripeGateway;
  /** The handlers of the domain that sells for this purpose. */
  handlersOf(purpose: string): PaymentHandlers<unknown>;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly payments: Payments;
  }
}
