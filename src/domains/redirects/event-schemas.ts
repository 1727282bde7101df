import { Redirect } from './schemas.ts';

/** The data of each event type. */
export const redirectEvents = { 'redirect.created': Redirect, 'redirect.deleted': Redirect };
