/** The Souk client. Start with `createClient`; everything else is types and a few small functions. */
export { type Client, type ClientOptions, createClient } from './client.ts';
export { type ErrorCode, type ErrorDetail, isSoukError, SoukError } from './errors.ts';
export type { TypedEvent } from './events.ts';
export type * from './generated/api.ts';
export type * from './generated/types.ts';
export { List, type Page } from './list.ts';
export { formatMoney, priceIn } from './money.ts';
export { type CallOptions, ignoredBy, type StepUpHandler } from './request.ts';
export type { ClientSession } from './session.ts';
export type { ScheduledStatus, StatusEntry } from './statuses.ts';
export { browserStorage, memoryStorage, type TokenStorage, type Tokens } from './storage.ts';
