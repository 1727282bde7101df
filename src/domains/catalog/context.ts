import type * as context from '../../context/index.ts';
import type { MediaServices } from '../media/index.ts';
import type { PublishingServices } from '../publishing/index.ts';
import type { Catalog } from './index.ts';

export type CatalogServices = { catalog: Catalog } & MediaServices & PublishingServices;

export type Query = context.Query<CatalogServices>;
export type Command = context.Command<CatalogServices>;
export type Steps = context.Steps<CatalogServices>;
