/** Personal data in carts. Erasure deletes them. */
import Type from 'typebox';
import type { Person, PersonalDataHolder } from '../../context/personal-data.ts';
import type { Db } from '../../db/sql.ts';
import { type CartRow, viewCart } from './cart.ts';
import { cartColumns } from './queries.ts';
import { Cart } from './schemas.ts';

const PAGE = 100;

export const cartData: PersonalDataHolder = {
  name: 'carts',
  record: Type.Pick(Cart, [
    ...([
      'id',
      'businessId',
      'status',
      'orderId',
      'market',
      'items',
      'email',
      'shippingAddress',
      'billingAddress',
    ] as const),
    ...(['pickupLocationId', 'shippingMethodId', 'paymentMethod', 'promoCode', 'locale', 'reminder'] as const),
    ...(['attribution', 'createdAt', 'updatedAt', 'expiresAt'] as const),
  ]),
  async businessesOf(db, businessIds, person) {
    const rows = await db<{ businessId: string }[]>`
      select distinct business_id from carts
      where business_id = any(${businessIds as string[]}) and ${isPerson(db, person)}`;
    return rows.map((row) => row.businessId);
  },
  async list({ db, businessId }, person, after) {
    const rows = await db<CartRow[]>`
      select ${cartColumns(db)} from carts
      where business_id = ${businessId} and ${isPerson(db, person)} and id > ${after ?? ''} order by id limit ${PAGE}`;
    return { items: rows.map(viewCart), next: rows.length < PAGE ? null : rows.at(-1)!.id };
  },
  async erase({ db: tx, businessId }, person) {
    const rows = await tx<{ id: string }[]>`
      delete from carts where business_id = ${businessId} and ${isPerson(tx, person)} returning id`;
    return { erased: rows.length, entities: rows.map(({ id }) => `cart:${id}`), next: null };
  },
};

/** An SQL condition on carts. */
const isPerson = (db: Db, { userId, emails }: Person) =>
  db`(owner_id = ${userId} or email = any(${emails as string[]}))`;
