import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { PricingServices } from '../pricing/index.ts';

export type CartServices = PricingServices & Pick<context.AppServices, 'carts'>;

export type Query = context.Query<CartServices>;
export type Command = context.Command<BusinessServices>;
export type Steps = context.Steps<CartServices>;
export const command = commandFor<CartServices>();
