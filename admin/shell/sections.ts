/** The sections: their name in the navigation, the permissions that show them, their pages, and their actions in the palette. */
import { routes as account } from '../sections/account/routes.ts';
import { routes as content } from '../sections/content/routes.ts';
import { routes as customers } from '../sections/customers/routes.ts';
import { routes as home } from '../sections/home/routes.ts';
import { routes as imports } from '../sections/imports/routes.ts';
import { routes as media } from '../sections/media/routes.ts';
import { routes as newsletters } from '../sections/newsletters/routes.ts';
import { routes as orders } from '../sections/orders/routes.ts';
import { routes as products } from '../sections/products/routes.ts';
import { routes as promoCodes } from '../sections/promo-codes/routes.ts';
import { routes as reports } from '../sections/reports/routes.ts';
import { routes as settings } from '../sections/settings/routes.ts';
import type { TextKey } from '../text/index.ts';
import type { Routes } from './routes.ts';
import type { Permission } from './session.ts';

type Section = {
  /** The first segment of its URLs. */
  path: string;
  text: TextKey;
  /** A member needs one of these permissions. If empty, every member sees the section. */
  permissions: Permission[];
  icon: string;
  routes: Routes;
  /** Not in the navigation; other sections link to it. */
  isUnlisted?: true;
  actions?: { text: TextKey; path: string; permission: Permission }[];
};

export const SECTIONS: Section[] = [
  { path: '', text: 'shell.home', permissions: [], icon: 'home', routes: home },
  {
    path: 'orders',
    text: 'shell.orders',
    permissions: ['ORDER_READ', 'ORDER_WRITE'],
    icon: 'orders',
    routes: orders,
    actions: [{ text: 'orders.new', path: '/orders/new', permission: 'ORDER_WRITE' }],
  },
  {
    path: 'products',
    text: 'shell.products',
    permissions: ['CATALOG_WRITE'],
    icon: 'products',
    routes: products,
    actions: [
      { text: 'products.new', path: '/products/new', permission: 'CATALOG_WRITE' },
      { text: 'products.table', path: '/products/table', permission: 'CATALOG_WRITE' },
      { text: 'categories.title', path: '/products/categories', permission: 'CATALOG_WRITE' },
    ],
  },
  {
    path: 'promo-codes',
    text: 'shell.promoCodes',
    permissions: ['PROMO_WRITE'],
    icon: 'promo',
    routes: promoCodes,
    actions: [{ text: 'promoCodes.new', path: '/promo-codes/new', permission: 'PROMO_WRITE' }],
  },
  {
    path: 'customers',
    text: 'shell.customers',
    permissions: ['CUSTOMER_READ', 'CUSTOMER_WRITE'],
    icon: 'customers',
    routes: customers,
    actions: [{ text: 'customers.new', path: '/customers/new', permission: 'CUSTOMER_WRITE' }],
  },
  {
    path: 'content',
    text: 'shell.content',
    permissions: ['CONTENT_READ', 'CONTENT_WRITE'],
    icon: 'content',
    routes: content,
    actions: [
      { text: 'content.newCollection', path: '/content/new', permission: 'CONTENT_WRITE' },
      { text: 'publishing.newRelease', path: '/content/releases/new', permission: 'CONTENT_WRITE' },
    ],
  },
  {
    path: 'newsletters',
    text: 'shell.newsletters',
    permissions: ['NEWSLETTER_SEND', 'SUBSCRIBER_READ', 'SUBSCRIBER_WRITE'],
    icon: 'newsletters',
    routes: newsletters,
    actions: [
      { text: 'newsletters.new', path: '/newsletters/new', permission: 'CONTENT_WRITE' },
      { text: 'automations.new', path: '/newsletters/automations/new', permission: 'NEWSLETTER_SEND' },
    ],
  },
  { path: 'reports', text: 'reports.title', permissions: ['ORDER_READ'], icon: 'reports', routes: reports },
  {
    path: 'media',
    text: 'shell.media',
    permissions: ['MEDIA_WRITE', 'CATALOG_WRITE', 'CONTENT_WRITE'],
    icon: 'media',
    routes: media,
  },
  {
    path: 'imports',
    text: 'imports.title',
    permissions: ['CATALOG_WRITE', 'CUSTOMER_WRITE', 'SUBSCRIBER_WRITE', 'CONTENT_WRITE'],
    icon: 'settings',
    routes: imports,
    isUnlisted: true,
  },
  {
    path: 'settings',
    text: 'shell.settings',
    permissions: ['BUSINESS_WRITE'],
    icon: 'settings',
    routes: settings,
  },
  { path: 'account', text: 'shell.account', permissions: [], icon: 'account', routes: account },
];
