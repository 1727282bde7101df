import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';

export type BusinessServices = Pick<context.AppServices, 'businesses'>;

export type Query = context.Query<BusinessServices>;
export type Command = context.Command<BusinessServices>;
export type Steps = context.Steps<BusinessServices>;
export const command = commandFor<BusinessServices>();

/** The broadcast subject for changes to a business. */
export const businessSubject = (businessId: string) => `business:${businessId}`;
