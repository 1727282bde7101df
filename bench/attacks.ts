/** Clients that misbehave, by name. Each runs until `isOver()`, from its own IP address of the loopback network. */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Victim = {
  url: URL;
  /** The path of the business. */
  base: string;
  storefront: string;
  /** A member of the business, and the role that they assign to themselves. */
  token: string;
  userId: string;
  roleId: string;
  collectionId: string;
  customerToken: string;
  soldProductId: string;
};

export type Attack = { name: string; clients: number; run(client: Client): Promise<void> };

type Client = Victim & {
  localAddress: string;
  index: number;
  isOver(): boolean;
  count(what: string): void;
};

/** The attackers share this many IP addresses. The normal client has its own. */
export const ADDRESSES = 8;

/** Sends `head`, then `drip` once a second. Reconnects when it is disconnected. */
async function hold({ url, localAddress, isOver, count }: Client, head: string, drip = '', reads = false) {
  while (!isOver()) {
    const socket = connect({ port: Number(url.port), host: url.hostname, localAddress });
    if (!reads) socket.pause();
    let open = true;
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve()).on('error', () => {});
    }).then(() => {
      open = false;
      if (!isOver()) count('disconnected');
    });
    socket.on('data', () => {});
    if (!reads) socket.pause();
    socket.write(head);
    while (!isOver() && open) {
      await Promise.race([pause(1000), closed]);
      if (open && drip) socket.write(drip);
    }
    socket.destroy();
    await pause(20);
  }
}

/** Sends pipelined requests, and as many again whenever all of them have been answered. */
async function pipeline({ url, localAddress, isOver, count }: Client, head: () => string, atOnce: number) {
  while (!isOver()) {
    const socket = connect({ port: Number(url.port), host: url.hostname, localAddress });
    const send = () => void socket.write(Array.from({ length: atOnce }, head).join(''));
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve()).on('error', () => {});
    });
    const timer = setInterval(() => isOver() && socket.destroy(), 200);
    let responses = 0;
    socket.on('data', (chunk) => {
      responses += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (responses < atOnce) return;
      count('responses');
      responses -= atOnce;
      send();
    });
    send();
    await closed;
    clearInterval(timer);
    await pause(20);
  }
}

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer };

/** Sends one request after another. */
async function repeat({ url, localAddress, isOver, count }: Client, next: () => Sent) {
  const agent = new Agent({ keepAlive: true, localAddress });
  while (!isOver()) {
    const { method = 'GET', path, headers = {}, body } = next();
    const status = await new Promise<number>((resolve) => {
      const sent = request({ host: url.hostname, port: url.port, method, path, headers, agent, timeout: 10_000 });
      sent.once('response', (response) => {
        response.resume().once('close', () => resolve(response.statusCode!));
      });
      sent.once('timeout', () => sent.destroy()).once('error', () => resolve(0));
      sent.end(body);
    });
    count(String(status));
    // Rejections come back quickly. The pause limits the load of this process, which is not what is measured.
    if (status === 0 || status >= 400) await pause(5);
  }
  agent.destroy();
}

const json = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
const random = () => Math.random().toString(36).slice(2);
const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'host: x', ...headers].join('\r\n')}\r\n\r\n`;
const bearer = (token: string) => `authorization: Bearer ${token}`;

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
const form = (parts: string[]) =>
  parts
    .map((part) => `--x\r\ncontent-disposition: form-data; name="files"; filename="a.svg"\r\n\r\n${part}\r\n`)
    .join('');

export const ATTACKS: Attack[] = [
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
    clients: 100,
    run: (client) => hold(client, head(`GET ${client.base}/events/stream`, bearer(client.token))),
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
