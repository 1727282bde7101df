import type { FastifyInstance } from 'fastify';
import type { Pool } from '../../src/db/connection.ts';
import type { Row } from '../types.ts';
import { bareAccounts, guestLogins, logins, tokenCheck, usersMe } from './accounts.ts';
import { bareCatalog, productGet, productList } from './catalog.ts';
import { bareContent, blockCheck, entryGet, entryList } from './content.ts';
import { jobsBegin } from './jobs.ts';
import { largeCatalog, largeEntries, largeOrders } from './large.ts';
import { newsletter, newsletterLarge } from './newsletters.ts';
import { bareOrders, checkout, checkoutHot } from './orders.ts';

export const rows: Row[] = [
  usersMe,
  logins,
  guestLogins,
  tokenCheck,
  productGet,
  productList,
  entryGet,
  entryList,
  blockCheck,
  checkout,
  checkoutHot,
  jobsBegin,
  newsletter,
  newsletterLarge,
  largeCatalog,
  largeOrders,
  largeEntries,
];

export const bareRoutes: ((app: FastifyInstance, pool: Pool) => void)[] = [
  bareAccounts,
  bareCatalog,
  bareContent,
  bareOrders,
];
