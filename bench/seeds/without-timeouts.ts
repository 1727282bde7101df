import type { Pool, Reserved } from '../../src/db/pool.ts';

/** A connection without a statement timeout. */
export async function withoutTimeouts(pool: Pool, work: (connection: Reserved) => Promise<void>): Promise<void> {
  const connection = await pool.reserve();
  connection.client.silenceMs = Number.POSITIVE_INFINITY;
  try {
    await connection`set statement_timeout = 0`;
    await work(connection);
  } finally {
    connection.release(true);
  }
}
