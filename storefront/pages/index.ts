/** All pages of the site. */
import type { Page } from '../page.ts';
import collection from './collection.tsx';
import home from './home.tsx';
import legal from './legal.tsx';
import memberPost from './member-post.tsx';
import post from './post.tsx';
import product from './product.tsx';
import products from './products.tsx';
import subscribe from './subscribe.tsx';

export const pages: Page[] = [home, products, product, legal, collection, post, memberPost, subscribe];
