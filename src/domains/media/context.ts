import type * as context from '../../context/index.ts';
import type { Media } from './index.ts';

export type MediaServices = { media: Media };

export type Query = context.Query<MediaServices>;
export type Command = context.Command<MediaServices>;
export type Steps = context.Steps<MediaServices>;
