import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { MediaServices } from '../media/index.ts';
import type { PublishingServices } from '../publishing/index.ts';

export type CatalogServices = Pick<context.AppServices, 'catalog'> & MediaServices & PublishingServices;

export type Query = context.Query<CatalogServices>;
export type Command = context.Command<CatalogServices>;
export type Steps = context.Steps<CatalogServices>;
export const command = commandFor<CatalogServices>();
