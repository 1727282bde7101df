import type { Page } from '../../page.ts';
import addresses from './addresses.tsx';
import data from './data.tsx';
import document from './document.tsx';
import newsletters from './newsletters.tsx';
import order from './order.tsx';
import orders from './orders.tsx';
import security from './security.tsx';

export const accountPages: Page[] = [orders, order, document, addresses, newsletters, security, data];
