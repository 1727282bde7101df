import type * as context from '../../context/index.ts';
import type { Content } from './index.ts';

export type ContentServices = { content: Content };

export type Query = context.Query<ContentServices>;
export type Command = context.Command<ContentServices>;
export type Steps = context.Steps<ContentServices>;
