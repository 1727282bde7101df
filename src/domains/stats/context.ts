import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';

export type Query = context.Query<BusinessServices>;
