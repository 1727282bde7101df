import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

const ports = new Map<string, number>();

/** Starts a server on the port that the last file used for this `kind`. The setting with its URL then stays the same, so files can share a service. */
export async function listenAgain(server: Server, kind: string): Promise<number> {
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(ports.get(kind) ?? 0).catch(() => listen(0));
  const { port } = server.address() as AddressInfo;
  ports.set(kind, port);
  return port;
}
