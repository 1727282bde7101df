import type { Catalog } from '../catalog.ts';
import { account } from './account.ts';
import { addresses } from './addresses.ts';
import { audience, forms } from './audience.ts';
import { auth } from './auth.ts';
import { automations } from './automations.ts';
import { bank } from './bank.ts';
import { blocks } from './blocks.ts';
import { content } from './content.ts';
import { customers } from './customers.ts';
import { design, elements, hints } from './elements.ts';
import { home } from './home.ts';
import { imports } from './imports.ts';
import { invoices } from './invoices.ts';
import { mails } from './mails.ts';
import { media } from './media.ts';
import { newsletters } from './newsletters.ts';
import { orders } from './orders.ts';
import { parts } from './parts.ts';
import { privacy } from './privacy.ts';
import { products } from './products.ts';
import { promoCodes } from './promo-codes.ts';
import { publishing } from './publishing.ts';
import { reports } from './reports.ts';
import { returns } from './returns.ts';
import { security } from './security.ts';
import { segments } from './segments.ts';
import { sender } from './sender.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { shipping } from './shipping.ts';
import { sso } from './sso.ts';
import { stats } from './stats.ts';
import { status } from './status.ts';
import { storefront } from './storefront.ts';
import { categories, redirects, safety, seo } from './storefront-catalog.ts';
import { delivery, suppressions } from './suppressions.ts';
import { taxes } from './taxes.ts';

export const de: Catalog = {
  shell,
  parts,
  status,
  blocks,
  home,
  orders,
  reports,
  returns,
  bank,
  products,
  categories,
  seo,
  safety,
  redirects,
  promoCodes,
  suppressions,
  delivery,
  privacy,
  customers,
  content,
  newsletters,
  automations,
  stats,
  imports,
  publishing,
  media,
  elements,
  hints,
  design,
  sender,
  settings,
  security,
  segments,
  audience,
  forms,
  storefront,
  invoices,
  mails,
  shipping,
  taxes,
  sso,
  addresses,
  account,
  auth,
};

export { errors } from './errors.ts';
export { sentences } from './sentences.ts';
