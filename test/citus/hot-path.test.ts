/** The commands that the nodes of a cluster send to each other: `npm run test:citus`. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import pg from 'pg';
import { onEveryNode } from '../databases.ts';
import { startHarness } from '../harness.ts';
import { last, openShop, press } from '../orders/shop.ts';

/** The commands that statements of the service have caused. */
const commands: string[] = [];

const isTwoPhase = (command: string) => command.startsWith('PREPARE TRANSACTION');

/** Citus reports each command as a notice. */
function recordCommands(): void {
  const { emit } = pg.Client.prototype;
  pg.Client.prototype.emit = function (this: pg.Client, name: string | symbol, ...given) {
    const [command] = (name === 'notice' && /^issuing (.*)/.exec(given[0].message)?.slice(1)) || [];
    if (command) commands.push(command);
    return emit.call(this, name, ...given);
  } as typeof emit;
}

suite('hot path', { skip: process.env.CITUS_BIN ? false : 'needs CITUS_BIN' }, async () => {
  recordCommands();
  const h = await startHarness();
  const { user, database } = h.target;
  await onEveryNode(`alter role ${user} in database ${database} set citus.log_remote_commands = on`);
  // Started after the setting, so that the setting applies to all of its connections.
  const { call, service, url } = await h.startNode();
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 1000 });
  const checkout = async (token: string, more: object = {}) => {
    const response = await shop.checkout(product, { call, token, ...more });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };

  /** Asserts that `work` ran on the node of the business alone, which rules out a two-phase commit. */
  async function assertOneNode(work: () => Promise<unknown>): Promise<void> {
    commands.length = 0;
    await work();
    assert.deepEqual(commands, []);
  }

  test('a two-phase commit is recorded', async () => {
    const ctx = service.contexts.system().within(shop.businessId);
    await ctx.transaction(({ db }) => db`update businesses set name = name where id = ${shop.businessId}`);
    assert.ok(commands.some(isTwoPhase));
  });

  test('reading a product runs on one node', () =>
    assertOneNode(async () => {
      const { status } = await call('GET', `${shop.base}/products/${product}`, { token: shop.customer.token });
      assert.equal(status, 200);
    }));

  test('the first checkouts of a guest and of a customer run on one node', async () => {
    const guest = await h.guest();
    await assertOneNode(() => checkout(guest.token, { email: 'guest@example.com' }));
    await assertOneNode(() => checkout(shop.customer.token));
    await assertOneNode(() => checkout(shop.customer.token, { paymentMethod: 'CASH' }));
  });

  test('the checkout of a cart runs on one node', async () => {
    const { token } = await h.guest();
    const cart = await call('POST', `${shop.base}/carts`, {
      token,
      body: { market: 'us', items: [{ productId: product, variantId: 'main', quantity: 1 }] },
    });
    await assertOneNode(() => checkout(token, { cartId: cart.body.id, items: undefined }));
  });

  test('a sale that brings stock below its threshold runs on one node', async () => {
    const left = await shop.stock(product);
    await h.pool`update stock set low_stock_threshold = ${left - 1}
      where business_id = ${shop.businessId} and product_id = ${product}`;
    await assertOneNode(() => checkout(shop.customer.token));
    await h.numberEvents(shop.businessId);
    const low = await h.pool`select from events where business_id = ${shop.businessId} and type = 'inventory.low'`;
    assert.equal(low.length, 1);
  });

  test('paying on the sandbox page, which is served by the coordinator, needs no two-phase commit', async () => {
    const { orderId, checkoutUrl } = await checkout(shop.customer.token);
    const { pathname, search } = new URL(checkoutUrl!);
    commands.length = 0;
    await press(`${url}${pathname}${search}`, 'pay');
    assert.deepEqual(commands.filter(isTwoPhase), []);
    assert.equal(commands.at(-1), 'COMMIT');
    assert.equal(last((await shop.order(orderId)).paymentStatus), 'PAID');
  });

  test('numbering events runs on one node', async () => {
    const ctx = service.contexts.system().within(shop.businessId);
    await checkout(shop.customer.token);
    await assertOneNode(() => service.events.sequence(ctx));
  });
});
