/**
 * A network per service process, with one link to its clients and one to the database. Runs in its own network
 * namespace (`unshare --net`), so that nothing outside changes and everything is gone when the run ends.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const ip = (...parts: string[]) => execFileSync('ip', parts, { stdio: ['ignore', 'ignore', 'inherit'] });

export function createNetwork(number: number) {
  const name = `souk-${number}`;
  ip('netns', 'add', name);
  ip('-n', name, 'link', 'set', 'lo', 'up');
  const links = ['clients', 'database'].map((kind, i) => {
    const [here, there] = [`${kind.slice(0, 8)}${number}`, kind];
    const address = (host: number) => `10.${90 + i}.${number}.${host}`;
    ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name);
    ip('addr', 'add', `${address(1)}/30`, 'dev', here);
    ip('link', 'set', here, 'up');
    ip('-n', name, 'addr', 'add', `${address(2)}/30`, 'dev', there);
    ip('-n', name, 'link', 'set', there, 'up');
    return { here, outside: address(1), inside: address(2) };
  });
  ip('-n', name, 'route', 'add', 'default', 'via', links[0]!.outside);
  const [clients, database] = links as [(typeof links)[0], (typeof links)[0]];
  return {
    /** Runs a command in this network. */
    command: ['ip', 'netns', 'exec', name],
    /** The address at which clients reach the process, and the one at which it reaches everyone else. */
    address: clients.inside,
    gateway: clients.outside,
    /** The address at which the process reaches the database. */
    database: database.outside,
    /** Packets between the process and the database are lost in both directions. */
    partition: () => ip('link', 'set', database.here, 'down'),
    heal: () => ip('link', 'set', database.here, 'up'),
  };
}

/** Forwards connections to a local port, and can delay them, cut them or lose responses. */
export async function forward(host: string, toPort: number, port = 0) {
  const sockets = new Set<Socket>();
  const state = { isDown: false, delayMs: 0, losesResponses: false };
  const server = createServer(async (from) => {
    if (state.isDown) return from.destroy();
    const to = connect(toPort, '127.0.0.1');
    for (const [one, other, isResponse] of [
      [from, to, false],
      [to, from, true],
    ] as const) {
      sockets.add(one);
      one.setNoDelay();
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      // Chunks stay in order, because each waits for the previous one.
      let last = Promise.resolve();
      one.on('data', (chunk) => {
        one.pause();
        last = last.then(async () => {
          if (isResponse && state.losesResponses) return void one.destroy();
          if (state.delayMs > 0) await pause(state.delayMs);
          if (!other.destroyed && !other.write(chunk)) await once(other, 'drain').catch(() => {});
          one.resume();
        });
      });
    }
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    state,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close(): void {
      this.cut();
      server.close();
    },
  };
}
