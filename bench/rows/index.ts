import type { FastifyInstance } from 'fastify';
import type { Pool } from '../../src/db/pool.ts';
import type { BareDb } from '../bare-db.ts';
import type { Row } from '../types.ts';
import { bareAccounts, guestLogins, logins, tokenCheck, usersMe } from './accounts.ts';
import { attack } from './attack.ts';
import { bareCatalog, productCold, productGet, productList, productOne } from './catalog.ts';
import { clientCall } from './client.ts';
import { bareContent, blockCheck, entryCold, entryGet, entryList } from './content.ts';
import { checkoutWithEvent, commandWithEvent, feedPage } from './events.ts';
import { newsletterFair } from './fairness.ts';
import { firstPage } from './first-page.ts';
import { jobsBegin } from './jobs.ts';
import { largeCatalog, largeEntries, largeOrders } from './large.ts';
import { bareMedia, imageRow, largeFileRow, uploadsRow } from './media.ts';
import { exportRow, importRow, releaseRow } from './moving.ts';
import { newsletter, newsletterLarge } from './newsletters.ts';
import { bareOrders, checkout, checkoutHot } from './orders.ts';
import { barePurchases, firstRequest, purchase } from './purchase.ts';
import { revocation } from './revocation.ts';
import { segmentLarge } from './segments.ts';
import { siteProduct } from './site.ts';
import { deadWebhookRow, fanOutRow } from './webhooks.ts';

export const rows: Row[] = [
  usersMe,
  logins,
  guestLogins,
  tokenCheck,
  revocation,
  productGet,
  productOne,
  productList,
  productCold,
  siteProduct,
  entryGet,
  entryList,
  entryCold,
  blockCheck,
  clientCall,
  firstPage,
  checkout,
  checkoutHot,
  purchase,
  firstRequest,
  jobsBegin,
  commandWithEvent,
  checkoutWithEvent,
  feedPage,
  fanOutRow,
  deadWebhookRow,
  uploadsRow,
  imageRow,
  largeFileRow,
  newsletter,
  newsletterLarge,
  newsletterFair,
  segmentLarge,
  attack,
  importRow,
  exportRow,
  releaseRow,
  largeCatalog,
  largeOrders,
  largeEntries,
];

export const bareRoutes: ((app: FastifyInstance, pool: Pool, db: BareDb) => void)[] = [
  bareAccounts,
  bareCatalog,
  bareContent,
  bareOrders,
  barePurchases,
  bareMedia,
];
