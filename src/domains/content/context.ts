import type * as context from '../../context/index.ts';
import type { MediaServices } from '../media/index.ts';
import type { PublishingServices } from '../publishing/index.ts';
import type { Content } from './index.ts';

export type ContentServices = { content: Content } & MediaServices & PublishingServices;

export type Query = context.Query<ContentServices>;
export type Command = context.Command<ContentServices>;
export type Steps = context.Steps<ContentServices>;
