/** A typical receiver: a plain server that verifies signatures with the public package. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Json } from '../harness.ts';

export type Received = { event: Json; headers: Record<string, string>; body: string };

/** `respond` handles a call. By default it responds with 200. */
export async function startReceiver(respond: (call: Received, response: ServerResponse) => void = (_, r) => r.end()) {
  const calls: Received[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const call = { event: JSON.parse(body), headers: request.headers as Record<string, string>, body };
    calls.push(call);
    respond(call, response);
    for (const { count, resolve } of waiting) if (calls.length >= count) resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    calls,
    async received(count: number): Promise<Received[]> {
      if (calls.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return calls;
    },
  };
}

/** Throws if the signature is invalid. */
export const verify = (secret: string, { body, headers }: Received) => new Webhook(secret).verify(body, headers);
