/** All pages of the site. */
import type { Page } from '../page.ts';
import home from './home.tsx';
import product from './product.tsx';

export const pages: Page[] = [home, product];
