/** All pages of the site. */
import type { Page } from '../page.ts';
import category from './category.tsx';
import home from './home.tsx';
import legal from './legal.tsx';
import product from './product.tsx';
import products from './products.tsx';

export const pages: Page[] = [home, products, product, category, legal];
