import { commandFor } from '../../context/command.ts';
import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { CatalogServices } from '../catalog/index.ts';
import type { ContentServices } from '../content/index.ts';
import type { NewsletterServices } from '../newsletters/index.ts';
import type { OrderServices } from '../orders/index.ts';

export type ImportServices = Pick<context.AppServices, 'imports'> &
  BusinessServices &
  CatalogServices &
  ContentServices &
  NewsletterServices &
  OrderServices;

export type Query = context.Query<ImportServices>;
export type Command = context.Command<ImportServices>;
export type Steps = context.Steps<ImportServices>;
export const command = commandFor<ImportServices>();
