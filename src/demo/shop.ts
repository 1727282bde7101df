import type { Caller } from '../shared/caller.ts';

/** What each domain needs to fill the demo: the business, and its admin as the one who acts. */
export type DemoShop = Readonly<{ businessId: string; admin: Caller }>;
