import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';

export type PricingServices = BusinessServices & Pick<context.AppServices, 'pricing'>;

export type Query = context.Query<PricingServices>;
export type Command = context.Command<BusinessServices>;
export type Steps = context.Steps<PricingServices>;
export const command = commandFor<PricingServices>();
