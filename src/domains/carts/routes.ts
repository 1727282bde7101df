import { change, command, query } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../shared/schemas.ts';
import { CART_BYTES } from '../pricing/index.ts';
import { changeCart, createCart, removeCart } from './change-cart.ts';
import { mergeCart } from './merge-carts.ts';
import { readCart, readCarts } from './read-carts.ts';
import { restoreCart } from './restore-cart.ts';
import { Cart, CartHeaders, CartInput, CartListQuery, CartUpdate, ListedCart, RestoreInput } from './schemas.ts';

const CARTS = '/v1/businesses/:businessId/carts';
const tags = ['Carts'];

type Keyed = { params: { id: string }; headers: { 'souk-cart-secret'?: string | undefined } };
const keyOf = ({ params, headers }: Keyed) => ({ id: params.id, secret: headers['souk-cart-secret'] });

export function cartRoutes(app: App): void {
  app.post(
    CARTS,
    {
      bodyLimit: CART_BYTES,
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Create a cart',
        description:
          'Returns the cart with its current price. The cart belongs to the caller. `secret` is returned only once. It gives access to callers with another token, such as the same browser after login.',
        params: BusinessParams,
        body: CartInput,
        response: { 200: Cart },
      },
    },
    (request, reply) => change(request, reply, createCart, request.body),
  );

  app.get(
    CARTS,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ' },
      schema: {
        tags,
        summary: 'List open carts',
        description:
          'Returns the open carts of the caller, or, with the `ORDER_READ` permission, of all customers. Sorted by last change, newest first. Empty carts are left out.',
        params: BusinessParams,
        querystring: CartListQuery,
        response: { 200: PageOf(ListedCart) },
      },
    },
    (request) => query(request, readCarts, request.query),
  );

  app.post(
    `${CARTS}/restore`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'restoreCart',
        summary: 'Restore a cart from a reminder',
        description:
          'Creates a cart with the items of the cart in the reminder. Email and addresses are not copied. Fails with 409 if that cart has already been checked out.',
        params: BusinessParams,
        body: RestoreInput,
        response: { 200: Cart },
      },
    },
    (request, reply) => change(request, reply, restoreCart, request.body.token),
  );

  app.get(
    `${CARTS}/:id`,
    {
      config: { access: 'token', widenedBy: 'ORDER_READ', versioned: true },
      schema: {
        tags,
        summary: 'Get a cart',
        description:
          'Returns the cart with its current price. Items that can no longer be sold are listed in `problems` and left out of `quote`.',
        params: BusinessRecordParams,
        headers: CartHeaders,
        response: { 200: Cart },
      },
    },
    (request, reply) => change(request, reply, readCart, keyOf(request)),
  );

  app.put(
    `${CARTS}/:id`,
    {
      bodyLimit: CART_BYTES,
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        summary: 'Update a cart',
        description:
          '`items` replaces all items. Other omitted fields keep their values. Fails with 409 if the cart has already been checked out.',
        params: BusinessRecordParams,
        headers: CartHeaders,
        body: CartUpdate,
        response: { 200: Cart },
      },
    },
    (request, reply) => change(request, reply, changeCart, { ...keyOf(request), changes: request.body }),
  );

  app.delete(
    `${CARTS}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        summary: 'Delete a cart',
        params: BusinessRecordParams,
        headers: CartHeaders,
        response: { 200: Success },
      },
    },
    (request) => command(request, removeCart, keyOf(request)),
  );

  app.post(
    `${CARTS}/:id/merge`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'mergeCart',
        summary: 'Merge a cart into my cart',
        description:
          "Call this after login, with the customer's token and the secret of the guest's cart. Quantities are added, up to the available stock. If the customer has no open cart, the guest's cart becomes the customer's, and its secret stops working.",
        params: BusinessRecordParams,
        headers: CartHeaders,
        response: { 200: Cart },
      },
    },
    (request, reply) => change(request, reply, mergeCart, keyOf(request)),
  );
}
