import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { CartServices } from '../carts/index.ts';
import type { MediaServices } from '../media/index.ts';
import type { PaymentServices } from '../payments/index.ts';
import type { PricingServices } from '../pricing/index.ts';

export type OrderServices = PaymentServices &
  PricingServices &
  CartServices &
  MediaServices &
  Pick<context.AppServices, 'orders'> & {
    content: Pick<context.AppServices['content'], 'checkReferences'>;
  };

export type Query = context.Query<OrderServices>;
export type Command = context.Command<OrderServices>;
export type Steps = context.Steps<OrderServices>;
export const command = commandFor<OrderServices>();
/** The context of payment handlers. */
export type PaymentCommand = context.Command<PaymentServices>;
/** The minimal context for reads. */
export type Reads = OrderServices & Readonly<{ db: Db; businessId: string }>;
