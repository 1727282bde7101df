import type * as context from '../../context/index.ts';
import type { BusinessServices } from '../businesses/index.ts';
import type { CatalogServices } from '../catalog/index.ts';
import type { ContentServices } from '../content/index.ts';
import type { NewsletterServices } from '../newsletters/index.ts';
import type { OrderServices } from '../orders/index.ts';
import type { Imports } from './index.ts';

export type ImportServices = { imports: Imports } & BusinessServices &
  CatalogServices &
  ContentServices &
  NewsletterServices &
  OrderServices;

export type Query = context.Query<ImportServices>;
export type Command = context.Command<ImportServices>;
export type Steps = context.Steps<ImportServices>;
