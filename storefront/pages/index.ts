/** All pages of the site. */
import type { Page } from '../page.ts';
import { accountPages } from './account/index.ts';
import archive from './archive.tsx';
import cart from './cart.tsx';
import category from './category.tsx';
import checkout from './checkout.tsx';
import collection from './collection.tsx';
import confirm from './confirm.tsx';
import home from './home.tsx';
import legal from './legal.tsx';
import login from './login.tsx';
import loginCode from './login-code.tsx';
import memberPost from './member-post.tsx';
import post from './post.tsx';
import product from './product.tsx';
import products from './products.tsx';
import resetPassword from './reset-password.tsx';
import subscribe from './subscribe.tsx';
import support from './support.tsx';
import thanks from './thanks.tsx';

/** Fixed paths come first: a collection can have any slug. */
export const pages: Page[] = [
  home,
  products,
  product,
  category,
  legal,
  cart,
  checkout,
  thanks,
  login,
  loginCode,
  confirm,
  resetPassword,
  support,
  ...accountPages,
  subscribe,
  archive,
  collection,
  post,
  memberPost,
];
