import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { Payments } from './index.ts';

export type PaymentServices = BusinessServices & { payments: Payments };

export type Query = context.Query<PaymentServices>;
export type Command = context.Command<PaymentServices>;
export type Steps = context.Steps<PaymentServices>;
