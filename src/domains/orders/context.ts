import type * as context from '../../context/index.ts';
import type { Db } from '../../db/sql.ts';
import type { Content } from '../content/index.ts';
import type { MediaServices } from '../media/index.ts';
import type { PaymentServices } from '../payments/index.ts';

export type OrderServices = PaymentServices & MediaServices & { content: Pick<Content, 'checkReferences'> };

export type Query = context.Query<OrderServices>;
export type Command = context.Command<OrderServices>;
export type Steps = context.Steps<OrderServices>;
/** What the handlers of payments have too. */
export type PaymentCommand = context.Command<PaymentServices>;
/** Any of these, for what only reads. */
export type Reads = OrderServices & Readonly<{ db: Db; businessId: string }>;
