import type { Socket } from 'node:net';

type Holder = { readonly socket: Socket; readonly address: string; bytes: number };

/**
 * Tracks the bytes that connections hold in memory. Above a limit, closes the largest connection of the IP address
 * that holds the most bytes, so that one client can't cut off the others.
 */
export function createInFlight({ max, maxPerAddress }: { max: number; maxPerAddress: number }) {
  const holders = new Set<Holder>();
  const byAddress = new Map<string, number>();
  let total = 0;

  function add(holder: Holder, bytes: number): void {
    const sum = (byAddress.get(holder.address) ?? 0) + bytes;
    if (sum > 0) byAddress.set(holder.address, sum);
    else byAddress.delete(holder.address);
    holder.bytes += bytes;
    total += bytes;
  }

  function release(holder: Holder): void {
    if (holders.delete(holder)) add(holder, -holder.bytes);
  }

  function closeLargest(address: string): void {
    const own = [...holders].filter((holder) => holder.address === address);
    const largest = own.reduce((most, holder) => (holder.bytes > most.bytes ? holder : most));
    release(largest);
    largest.socket.destroy();
  }

  const largestAddress = () => [...byAddress].reduce((most, each) => (each[1] > most[1] ? each : most))[0];

  return {
    /** `add` counts more bytes of this connection. `release` releases all of them. */
    track(socket: Socket, address: string): { add(bytes: number): void; release(): void } {
      const holder = { socket, address, bytes: 0 };
      holders.add(holder);
      return {
        add(bytes) {
          if (!holders.has(holder)) return;
          add(holder, bytes);
          while ((byAddress.get(address) ?? 0) > maxPerAddress) closeLargest(address);
          while (total > max) closeLargest(largestAddress());
        },
        release: () => release(holder),
      };
    },
  };
}
