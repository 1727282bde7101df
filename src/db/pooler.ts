import { type Client, type ConnectionTarget, openClient } from './client.ts';

/** Looks that find no shared session before we believe that there is none. */
const LOOKS = 5;

/**
 * True when the address leads to a pooler that lends sessions by the transaction: then LISTEN and locks of a session are lost
 * there without a word. Two connections that are open at once meet in one session only behind such a pooler.
 */
export async function sharesSessions(target: ConnectionTarget): Promise<boolean> {
  const one = await openClient(target, 'souk-migrate');
  try {
    // A pooler invents the number that it gives to its client.
    if ((await sessionOf(one)) === (one as unknown as { processID: number }).processID) return false;
    const two = await openClient(target, 'souk-migrate');
    try {
      for (let look = 0; look < LOOKS; look++) if ((await sessionOf(one)) === (await sessionOf(two))) return true;
      return false;
    } finally {
      await two.end();
    }
  } finally {
    await one.end();
  }
}

async function sessionOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
