/** Clients that send content that is expensive to process. */
import { readFileSync } from 'node:fs';
import { camt } from '../../test/orders/bank-transfer/files.ts';
import { type Attack, type Client, form, json, random, repeat } from './clients.ts';

const fixture = (name: string) => readFileSync(new URL(`../../test/imports/fixtures/${name}`, import.meta.url), 'utf8');

const ghostPost = (fields: object) => ({ id: random(), title: random(), slug: random(), status: 'draft', ...fields });
const ghost = (posts: object[]) => JSON.stringify({ db: [{ data: { posts } }] });
const card = '<b>'.repeat(300_000);
const orders = fixture('shopify-orders.csv').split('\n');
const wideOrder = [orders[0], orders[1]!.replaceAll(/20\d\d-\d\d-\d\d /g, `2024-01-01${' '.repeat(100_000)}`)].join(
  '\n',
);
const longEmail = `a@${'.x'.repeat(50_000)}@`;

const IMPORTS: readonly { type: string; contentType: string; body: string }[] = [
  {
    type: 'entries',
    contentType: 'application/json',
    body: ghost([ghostPost({ mobiledoc: '{"sections":[[1,"p",[[0,[],1e999,"x"]]]]}' })]),
  },
  {
    type: 'entries',
    contentType: 'application/json',
    body: ghost([
      ghostPost({
        mobiledoc: JSON.stringify({ cards: [['html', { html: card }]], sections: Array(560).fill([10, 0]) }),
      }),
    ]),
  },
  {
    type: 'entries',
    contentType: 'application/json',
    body: ghost(['<', '<a ', ' '].map((pump) => ghostPost({ html: pump.repeat(1_000_000 / pump.length) }))),
  },
  { type: 'orders', contentType: 'text/csv', body: wideOrder },
  { type: 'customers', contentType: 'text/csv', body: `Email,First Name,Last Name\n${longEmail},A,B\n` },
];

const XML_ATTRIBUTES = Array.from({ length: 80_000 }, (_, i) => ` a${i}="1"`).join('');
const statement = camt([{ amount: '1.00', text: 'x' }]).replace('<Stmt>', `<Stmt${XML_ATTRIBUTES}>`);

/** Texts that make a parser start over at each character. */
const TEXTS = [' '.repeat(30_000), '<'.repeat(60_000), '<a '.repeat(20_000), `<p class="${' '.repeat(30_000)}`];
const longBlocks = (bytes: number) => [{ id: 'body', type: 'TEXT', value: `<p>${'word '.repeat(bytes / 5)}</p>` }];

const post = (client: Client, path: string, body: object) => ({
  method: 'POST',
  path: `${client.base}${path}`,
  headers: json(client.token),
  body: JSON.stringify(body),
});

export const POISON: Attack[] = [
  {
    name: 'poison-imports',
    clients: IMPORTS.length,
    run: (client) => {
      const { type, contentType, body } = IMPORTS[client.index % IMPORTS.length]!;
      const collection = type === 'entries' ? `&collectionId=${client.collectionId}` : '';
      return repeat(client, () => ({
        method: 'POST',
        path: `${client.base}/imports?type=${type}${collection}`,
        headers: { authorization: `Bearer ${client.token}`, 'content-type': contentType },
        body,
      }));
    },
  },
  {
    name: 'poison-uploads',
    clients: 4,
    run: (client) =>
      repeat(client, () => ({
        method: 'POST',
        path: `${client.base}/upload`,
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'multipart/form-data; boundary=x' },
        body: `${form([`${'<!---->'.repeat(30)}<x${random()}`])}--x--\r\n`,
      })),
  },
  {
    name: 'bank-statements',
    clients: 4,
    run: (client) =>
      repeat(client, () => ({
        method: 'POST',
        path: `${client.base}/bank-statements`,
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/xml' },
        body: statement,
      })),
  },
  {
    name: 'long-forms',
    clients: 4,
    run: (client) => {
      const body = new URLSearchParams({ email: `a@${'.x'.repeat(32_000 - 20)}@` }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: client.url.origin };
      return repeat(client, () => ({ method: 'POST', path: `${client.storefront}/checkout`, headers, body }));
    },
  },
  {
    name: 'slashes',
    clients: 4,
    run: (client) => repeat(client, () => ({ path: `${client.storefront}${'/'.repeat(15_000)}x` })),
  },
  {
    name: 'poison-texts',
    clients: 8,
    run: (client) => {
      let turn = client.index;
      return repeat(client, () => {
        turn++;
        const value = TEXTS[turn % TEXTS.length];
        const settings = { variant: 'HTML' };
        if (turn % 3 === 0)
          return post(client, '/entries', {
            collectionId: client.collectionId,
            blocks: [
              { id: 'title', type: 'TEXT', value: random() },
              { id: 'body', type: 'TEXT', settings, value },
            ],
            statuses: [{ status: 'PUBLISHED' }],
          });
        return { path: `${client.ownStorefront}/notes${turn % 3 === 1 ? '' : '/feed.xml'}?${random()}` };
      });
    },
  },
  {
    name: 'long-texts',
    clients: 36,
    run: (client) =>
      repeat(client, () =>
        post(client, '/entries', { collectionId: client.collectionId, blocks: longBlocks(500_000) }),
      ),
  },
  {
    name: 'large-products',
    clients: 6,
    run: (client) =>
      repeat(client, () =>
        post(client, '/products', {
          name: random(),
          blocks: Array.from({ length: 50 }, (_, i) => ({ id: `b${i}`, type: 'TEXT', value: 'word '.repeat(4000) })),
        }),
      ),
  },
];
