/** Clients that send too much, too slowly, or don't read. */
import { type Attack, bearer, form, head, hold, json, pipeline, random, repeat } from './clients.ts';

/** Checkouts accept 128 KiB. */
const nestedTable = '<tr><td>'.repeat(15_000);
const manyTexts = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`l${i}`, '<b>x</b>']));
const slowSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><g id="a0"><rect width="9" height="9"/></g>${Array.from(
  { length: 9 },
  (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(9)}</g>`,
).join('')}</svg>`;
const slowFilter =
  '<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000"><filter id="f"><feTurbulence baseFrequency=".9" numOctaves="200"/></filter><rect width="4000" height="4000" filter="url(#f)"/></svg>';
/** A record of an import with 20,000 blocks. */
const manyBlocks = JSON.stringify({
  id: 'a',
  blocks: Array.from({ length: 20_000 }, (_, i) => ({ id: `b${i}`, type: 'TEXT', value: '<b>x</b>' })),
});

export const FLOODS: Attack[] = [
  {
    name: 'documents',
    clients: 200,
    run: (client) => pipeline(client, () => head(client.index % 2 ? 'GET /openapi.json' : 'GET /metrics'), 6),
  },
  {
    name: 'floods',
    clients: 40,
    run: (client) => pipeline(client, () => head('GET /healthz'), 1000),
  },
  {
    name: 'forged-tokens',
    clients: 40,
    run: (client) =>
      pipeline(
        client,
        () =>
          head(
            `GET ${client.base}/products`,
            client.index % 2 ? `x-api-key: souk_${random()}` : bearer(`${random()}.${random()}.${random()}`),
          ),
        6,
      ),
  },
  {
    name: 'storefront',
    clients: 60,
    run: (client) =>
      repeat(client, () => ({ path: `${client.storefront}${client.index % 2 ? '' : '/products'}?q=${random()}` })),
  },
  {
    name: 'sign-in',
    clients: 20,
    run: (client) =>
      repeat(client, () => ({
        method: 'POST',
        path: '/v1/users/login',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ provider: 'EMAIL', email: `${random()}@example.com`, password: random() }),
      })),
  },
  {
    name: 'carts',
    clients: 20,
    run: (client) =>
      repeat(client, () => ({
        method: 'POST',
        path: `${client.base}/carts`,
        headers: json(client.customerToken),
        body: JSON.stringify({
          market: 'us',
          items: [{ productId: client.soldProductId, variantId: 'main', quantity: 1 }],
        }),
      })),
  },
  {
    name: 'slow-headers',
    clients: 150,
    run: (client) => hold(client, 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ', 'x', true),
  },
  {
    name: 'slow-bodies',
    clients: 150,
    run: (client) =>
      hold(
        client,
        `${head(`POST ${client.base}/products`, bearer(client.token), 'content-type: application/json', 'content-length: 1000000')}{"name":"${'x'.repeat(900_000)}`,
        'x',
        true,
      ),
  },
  {
    name: 'slow-forms',
    clients: 60,
    run: (client) =>
      hold(
        client,
        `${head(`POST ${client.base}/upload`, bearer(client.token), 'content-type: multipart/form-data; boundary=x', 'content-length: 1000000')}${form(Array.from({ length: client.index % 2 ? 30 : 1 }, () => 'x'))}`,
        'x',
        true,
      ),
  },
  {
    name: 'slow-imports',
    clients: 60,
    run: (client) =>
      hold(
        client,
        `${head(`POST ${client.base}/imports?type=products&market=us`, bearer(client.token), 'content-type: text/csv', 'content-length: 9000000')}Handle,`,
        'x',
        true,
      ),
  },
  {
    name: 'stalled-readers',
    clients: 60,
    run: (client) => hold(client, head(`GET ${client.base}/products?limit=100`, bearer(client.token))),
  },
  {
    name: 'event-streams',
    clients: 2000,
    run: (client) => {
      const { base, token } = client.accounts[client.index % client.accounts.length]!;
      return hold(client, head(`GET ${base}/events/stream`, bearer(token)));
    },
  },
  {
    name: 'pictures',
    clients: 8,
    run: (client) =>
      repeat(client, () => ({
        method: 'POST',
        path: `${client.base}/upload`,
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'multipart/form-data; boundary=x' },
        body: `${form([(client.index % 2 ? slowSvg : slowFilter).replace('</svg>', `<!--${random()}--></svg>`)])}--x--\r\n`,
      })),
  },
  {
    name: 'imports',
    clients: 6,
    run: (client) =>
      repeat(client, () => ({
        method: 'POST',
        path: `${client.base}/imports?type=entries&collectionId=${client.collectionId}&dryRun=true`,
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/x-ndjson' },
        body: `${manyBlocks}\n`.repeat(3),
      })),
  },
  {
    name: 'roles',
    clients: 20,
    run: (client) =>
      repeat(client, () => ({
        method: 'PUT',
        path: '/v1/users/set-role',
        headers: json(client.token),
        body: JSON.stringify({ userId: client.userId, roleId: client.roleId }),
      })),
  },
  {
    name: 'texts',
    clients: 20,
    run: (client) => {
      const value = client.index % 2 ? nestedTable : manyTexts;
      const body = Buffer.from(
        JSON.stringify({
          market: 'us',
          paymentMethod: 'CASH',
          items: [{ productId: client.soldProductId, variantId: 'main', quantity: 1 }],
          blocks: [{ id: 'a', type: 'TEXT', settings: { variant: 'HTML' }, value }],
        }),
      );
      const sent = {
        method: 'POST',
        path: `${client.base}/orders/checkout`,
        headers: json(client.customerToken),
        body,
      };
      return repeat(client, () => sent);
    },
  },
];
