import { type Client, type ConnectionTarget, endWithin, openClient, QUICK_SILENCE_MS } from './client.ts';
import { PLAN_MODE } from './plans.ts';
import { send } from './send.ts';
import { createDb, type Db } from './sql.ts';

/**
 * These statements have one plan that makes sense, whatever their values and however small a table was when it was analyzed:
 * by key. Planning them anew would cost more than running them.
 */
const PLANS = `select set_config('plan_cache_mode', (${PLAN_MODE}), false); set enable_seqscan = off`;

type Slot = { client: Client | null; opening: Promise<Client> | null; inFlight: number };

/**
 * Few connections that everybody shares, for statements that always take well under a millisecond. They go out one behind the
 * other without waiting for answers, so that one write carries several and PostgreSQL is woken once for all of them. Whatever
 * may take longer uses the pool: nothing quick stands behind something slow.
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
        client.once('end', () => {
          if (slot.client === client) slot.client = null;
        });
        slot.client = client;
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
      // While answers are still due nobody waits for a statement to leave at once: a round of the event loop is collected.
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
