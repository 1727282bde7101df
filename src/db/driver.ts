/**
 * Everything that relies on undocumented parts of `pg` is in this file. `test/db/driver.test.ts` checks each of them against
 * the installed version, so an upgrade of the driver that breaks one fails there.
 */
import type { Socket } from 'node:net';
import type pg from 'pg';

/** The TCP socket, or the TLS socket after the handshake. */
export const socketOf = ({ connection }: pg.Client) => connection.stream as Socket;

/** True if the connection has a prepared statement of this name. */
export function isPrepared({ connection }: pg.Client, name: string): boolean {
  const { parsedStatements } = connection as unknown as { parsedStatements: Record<string, string> };
  return parsedStatements[name] !== undefined;
}

/**
 * A query with these values that inherits the rest from `statement`. The driver copies the own properties of every query and keeps its
 * prototype. Copying all properties would take longer than everything else that a statement needs in this process.
 */
export function withValues<Statement extends object>(statement: Statement, values: unknown[]) {
  const query: Statement & { values?: unknown[] } = Object.create(statement);
  query.values = values;
  return query;
}

/** Closes the connection and rejects every pending statement, even one whose result has already been received. */
export function abort(client: pg.Client, error: Error): void {
  client.connection.emit('error', error);
  socketOf(client).destroy();
}

/** Once connected, a socket error such as EPIPE means that the connection is lost, regardless of its code. */
export function markSocketErrors({ connection }: pg.Client): void {
  connection.on('error', (error: Error) => {
    if (!isLostMessage(error)) error.message = `Connection terminated: ${error.message}`;
  });
}

const LOST = /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/;

/** The driver gives these errors no code. */
export const isLostMessage = (error: Error) => LOST.test(error.message);

/** True if no connection of the pool became free in time. */
export const isPoolTimeoutMessage = (error: Error) => error.message.startsWith('timeout exceeded');
