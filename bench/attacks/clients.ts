/** How clients misbehave. Each runs until `isOver()`, from its own IP address of the loopback network. */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Victim = {
  url: URL;
  /** The path of the attackers' own business, and of its storefront. */
  base: string;
  ownStorefront: string;
  /** The storefront of the normal client. */
  storefront: string;
  /** A member of the attackers' business, and the role that they assign to themselves. */
  token: string;
  userId: string;
  roleId: string;
  collectionId: string;
  customerToken: string;
  /** Tokens of members of other businesses of the attackers, with the paths of those businesses. */
  accounts: readonly { base: string; token: string }[];
  soldProductId: string;
};

export type Attack = { name: string; clients: number; run(client: Client): Promise<void> };

export type Client = Victim & {
  localAddress: string;
  index: number;
  isOver(): boolean;
  count(what: string): void;
};

/** The attackers share this many IP addresses. The normal client has its own. */
export const ADDRESSES = 8;

/** Sends `head`, then `drip` once a second. Reconnects when it is disconnected. */
export async function hold({ url, localAddress, isOver, count }: Client, head: string, drip = '', reads = false) {
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
export async function pipeline({ url, localAddress, isOver, count }: Client, head: () => string, atOnce: number) {
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
export async function repeat({ url, localAddress, isOver, count }: Client, next: () => Sent) {
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

export const json = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
export const random = () => Math.random().toString(36).slice(2);
export const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'host: x', ...headers].join('\r\n')}\r\n\r\n`;
export const bearer = (token: string) => `authorization: Bearer ${token}`;

/** The body of a form with these files, without its end. */
export const form = (parts: string[]) =>
  parts
    .map((part) => `--x\r\ncontent-disposition: form-data; name="files"; filename="a.svg"\r\n\r\n${part}\r\n`)
    .join('');
