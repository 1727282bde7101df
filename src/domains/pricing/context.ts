import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';

/** This domain keeps no state in memory. */
type PricingServices = BusinessServices;

export type Query = context.Query<PricingServices>;
export type Command = context.Command<PricingServices>;
export type Steps = context.Steps<PricingServices>;
export const command = commandFor<PricingServices>();
