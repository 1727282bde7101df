import type * as context from '../../context/index.ts';
import type { Businesses } from './index.ts';

export type BusinessServices = { businesses: Businesses };

export type Query = context.Query<BusinessServices>;
export type Command = context.Command<BusinessServices>;
export type Steps = context.Steps<BusinessServices>;

/** What is published when a business changes. */
export const businessSubject = (businessId: string) => `business:${businessId}`;
