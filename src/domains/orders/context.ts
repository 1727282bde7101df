import type { Deps } from '../../deps.ts';
import type { Businesses } from '../businesses/index.ts';
import type { Content } from '../content/index.ts';
import type { Payments } from './payments.ts';

/** What the use cases of this domain work with. */
export type OrdersContext = Readonly<{ deps: Deps; businesses: Businesses; content: Content; payments: Payments }>;
