import { type Client, type ConnectionTarget, endWithin, openClient, QUICK_SILENCE_MS } from './client.ts';
import { PLAN_MODE } from './plans.ts';
import { send } from './send.ts';
import { createDb, type Db } from './sql.ts';

/**
 * These statements have one sensible plan for all values: an index lookup, even on a table that was small when it was analyzed.
 * Planning them again would take longer than running them.
 */
const PLANS = `select set_config('plan_cache_mode', (${PLAN_MODE}), false); set enable_seqscan = off`;

type Slot = { client: Client | null; opening: Promise<Client> | null; inFlight: number };

/**
 * A few connections that all requests share, for statements that always take well under a millisecond. Statements are
 * pipelined, so one write sends several and wakes PostgreSQL once. Slower statements use the pool, because they
 * would block the quick ones after them.
 */
export function createSharedConnections(
  target: ConnectionTarget,
  { max = 2, applicationName = 'souk-quick' } = {},
): { db: Db; end(): Promise<void> } {
  const slots: Slot[] = Array.from({ length: max }, () => ({ client: null, opening: null, inFlight: 0 }));

  function open(slot: Slot): Promise<Client> {
    slot.opening ??= openClient(target, applicationName, target.isPooled ? '' : PLANS)
      .then((client) => {
        client.silenceMs = QUICK_SILENCE_MS;
        slot.client = client;
        // 'end' would be too late: the next statement must get a new connection.
        client.once('error', () => {
          slot.client = null;
        });
        return client;
      })
      .finally(() => {
        slot.opening = null;
      });
    return slot.opening;
  }

  async function run(text: string, values: unknown[]): Promise<object[]> {
    const slot = slots.reduce((least, each) => (each.inFlight < least.inFlight ? each : least));
    slot.inFlight++;
    try {
      const client = slot.client ?? (await open(slot));
      // While results are pending, collect the statements of one turn of the event loop and send them together.
      if (slot.inFlight > 1) client.corkUntil(setImmediate);
      return await send(client, text, values);
    } finally {
      slot.inFlight--;
    }
  }

  return {
    db: createDb(run),
    end: () =>
      endWithin(
        Promise.all(slots.map(({ client }) => client?.end())),
        slots.map(({ client }) => client),
      ),
  };
}
