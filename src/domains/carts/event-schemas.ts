import Type from 'typebox';
import { Cart } from './schemas.ts';

/** A cart without its price, which is computed for each response. */
export const StoredCart = Type.Omit(Cart, ['problems', 'quote', 'secret']);

/** The data of each event type. */
export const cartEvents = {
  'cart.created': StoredCart,
  'cart.updated': StoredCart,
  'cart.ordered': StoredCart,
  'cart.reminded': StoredCart,
  'cart.deleted': StoredCart,
};
