/** All pages of the site. */
import type { Page } from '../page.ts';
import collection from './collection.tsx';
import home from './home.tsx';
import memberPost from './member-post.tsx';
import post from './post.tsx';
import product from './product.tsx';
import subscribe from './subscribe.tsx';

export const pages: Page[] = [home, product, collection, post, memberPost, subscribe];
