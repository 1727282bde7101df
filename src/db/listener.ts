import { setTimeout as pause } from 'node:timers/promises';
import { type Client, type ConnectionTarget, endWithin, openClient, QUICK_SILENCE_MS } from './client.ts';

const RECONNECT_MS = 200;

/** `server`: the server's index among joined listeners. */
type OnPayload = (payload: string, server: number) => void;
type Channel = { onPayload: OnPayload; onListening: () => void };

/**
 * One connection that listens (LISTEN) for the whole process and reconnects automatically. Notifications sent in the
 * meantime are lost: `onListening` is called after each (re)connect.
 */
export function createListener(target: ConnectionTarget) {
  const channels = new Map<string, Set<Channel>>();
  let client: Client | null = null;
  let opening: Promise<void> | null = null;
  let stopped = false;

  async function open(): Promise<void> {
    const opened = await openClient(target, 'souk-listen');
    opened.silenceMs = QUICK_SILENCE_MS;
    if (stopped) return void (await opened.end());
    opened.on('notification', ({ channel, payload = '' }) => {
      for (const { onPayload } of channels.get(channel) ?? []) onPayload(payload, 0);
    });
    for (const channel of channels.keys()) await opened.query(`listen ${quote(channel)}`);
    client = opened;
    opened.once('end', () => {
      client = null;
      if (!stopped) void reopen();
    });
    for (const listeners of channels.values()) for (const { onListening } of listeners) onListening();
  }

  /** Retries until it succeeds. */
  function reopen(): Promise<void> {
    opening ??= (async () => {
      while (!stopped && client === null) {
        await open().catch(() => pause(RECONNECT_MS, undefined, { ref: false }));
      }
      opening = null;
    })();
    return opening;
  }

  return {
    servers: 1,
    async listen(channel: string, onPayload: OnPayload, onListening: () => void = () => {}) {
      const entry: Channel = { onPayload, onListening };
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(entry));
      if (client === null) await (opening ?? open());
      else {
        await client.query(`listen ${quote(channel)}`);
        onListening();
      }
      return { unlisten: async () => void listeners.delete(entry) };
    },
    /**
     * Sends on the listening connection, so that the notification proves that the whole path works. Returns the server's time in
     * milliseconds.
     */
    async notify(channel: string, payload: string): Promise<number> {
      if (client === null) throw new Error('The LISTEN connection was lost');
      const { rows } = await client.query<{ ms: number }>(
        'select pg_notify($1, $2), floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
        [channel, payload],
      );
      return Number(rows[0]!.ms);
    },
    async stop(): Promise<void> {
      stopped = true;
      await endWithin(Promise.resolve(client?.end()), [client]);
    },
  };
}

export type Listener = ReturnType<typeof createListener>;

/** Listens on several servers: a notification arrives only from the server where it was sent. */
export function joinListeners(all: readonly Listener[]): Listener {
  return {
    servers: all.length,
    async listen(channel, onPayload, onListening) {
      const listen = (each: Listener, i: number) =>
        each.listen(channel, (payload) => onPayload(payload, i), onListening);
      const subscriptions = await Promise.all(all.map(listen));
      return { unlisten: async () => void (await Promise.all(subscriptions.map(({ unlisten }) => unlisten()))) };
    },
    async notify(channel, payload) {
      const [home] = await Promise.all(all.map((each) => each.notify(channel, payload)));
      return home!;
    },
    async stop() {
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
