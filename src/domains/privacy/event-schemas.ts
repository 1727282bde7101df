import { Erasure } from './schemas.ts';

/** The data of each event type. */
export const privacyEvents = { 'customer.erasure_requested': Erasure, 'customer.erased': Erasure };
