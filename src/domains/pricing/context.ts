import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';

/** This domain remembers nothing itself. */
type PricingServices = BusinessServices;

export type Query = context.Query<PricingServices>;
export type Command = context.Command<PricingServices>;
export type Steps = context.Steps<PricingServices>;
