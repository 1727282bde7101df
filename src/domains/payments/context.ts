import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';

export type PaymentServices = BusinessServices & Pick<context.AppServices, 'payments'>;

export type Query = context.Query<PaymentServices>;
export type Command = context.Command<PaymentServices>;
export type Steps = context.Steps<PaymentServices>;
export const command = commandFor<PaymentServices>();
