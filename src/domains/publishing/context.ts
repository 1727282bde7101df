import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { EventServices } from '../events/index.ts';
import type { Publishing } from './index.ts';

export type PublishingServices = { publishing: Publishing } & EventServices & BusinessServices;

export type Query = context.Query<PublishingServices>;
export type Command = context.Command<PublishingServices>;
export type Steps = context.Steps<PublishingServices>;
