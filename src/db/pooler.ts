import { type Client, type ConnectionTarget, openClient } from './client.ts';

/** How many times to compare sessions before concluding that none is shared. */
const LOOKS = 5;

/**
 * True if the URL points to a pooler in transaction mode, where LISTEN and session locks silently have no effect. Only
 * there can two open connections use the same session.
 */
export async function sharesSessions(target: ConnectionTarget): Promise<boolean> {
  const one = await openClient(target, 'souk-migrate');
  try {
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
