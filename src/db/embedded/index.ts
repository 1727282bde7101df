/**
 * PostgreSQL as a child of the service: its files in `<dataDir>/postgres`, reached through a private unix socket only.
 *
 * - It never outlives the service, however that ends, and comes back by itself when it is the one that dies.
 * - It never runs as root. Started by root it runs as the owner of its folder (at first `nobody`) and still works where
 *   that user cannot enter: the data folder is reached through the working directory, the binaries through a copy.
 * - Every failure to start is an Error of one line.
 */
import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runnableBinaries } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { oneLine } from './failures.ts';
import { clearLeftovers } from './leftovers.ts';
import { lockFolder } from './lock.ts';
import { type Log, NAME, PORT, type Settings } from './names.ts';
import { socketFolder, temporaryRoots, userFor } from './seat.ts';
import { keepRunning } from './server.ts';

/** `host` is the folder of the socket. */
export type Embedded = {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  stop(): Promise<void>;
};

export async function startEmbedded(options: { dataDir: string; log: Log; settings?: Settings }): Promise<Embedded> {
  const { log, settings = {} } = options;
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await ownFolder(options.dataDir);
  cleanup.defer(await lockFolder(dataDir));
  try {
    // It may be a link to another disk.
    const folder = await fs.realpath(join(dataDir, 'postgres')).catch(() => join(dataDir, 'postgres'));
    const user = await userFor(folder);
    const roots = await temporaryRoots(user);
    const seat = { user, bin: await runnableBinaries(user, roots, cleanup, log) };
    const host = await socketFolder(roots[0]!, dataDir, user);
    cleanup.defer(() => fs.rm(host, { recursive: true, force: true }));
    await clearLeftovers(folder, host, log);
    const password = await prepareCluster(seat, dataDir, folder, settings);
    const stop = await keepRunning(seat, folder, host, settings, log);
    const rest = cleanup.move();
    let stopped: Promise<void> | undefined;
    const stopOnce = () => (stopped ??= stop().finally(() => rest.disposeAsync()));
    return { host, port: PORT, user: NAME, password, database: NAME, stop: stopOnce };
  } catch (error) {
    throw new Error(`The database in ${dataDir} cannot start: ${oneLine(error)}`);
  }
}

async function ownFolder(dataDir: string): Promise<string> {
  try {
    await fs.mkdir(resolve(dataDir), { recursive: true, mode: 0o700 });
    await fs.access(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    return await fs.realpath(dataDir);
  } catch (error) {
    throw new Error(`The data folder ${resolve(dataDir)} cannot be used: ${oneLine(error)}`);
  }
}
