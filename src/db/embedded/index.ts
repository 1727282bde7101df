/**
 * PostgreSQL as a child process of the service, with its files in `<dataDir>/postgres`, accessible only through a private Unix socket.
 *
 * - It stops with the service, even if the service is killed. If PostgreSQL crashes, it is restarted.
 * - It never runs as root. If root starts the service, PostgreSQL runs as the owner of its folder (initially `nobody`). That works even if
 *   this user can't access the parent folders: the data folder is the working directory, and the binaries are copied.
 * - Every failure to start is a one-line Error.
 */
import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runnableBinaries } from './binaries.ts';
import { prepareCluster } from './cluster.ts';
import { oneLine } from './failures.ts';
import { clearLeftovers } from './leftovers.ts';
import { lockFolder } from './lock.ts';
import { type Log, NAME, PORT, type Settings } from './names.ts';
import { socketFolder, temporaryRoots, userFor } from './runtime.ts';
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
  const dataDir = await ownFolder(options.dataDir);
  const steps = [await lockFolder(dataDir)];
  const afterStop = (step: () => Promise<void>) => void steps.push(step);
  const cleanUp = async () => {
    for (const step of steps.reverse()) await step();
  };
  try {
    // The folder can be a symbolic link to another disk.
    const folder = await fs.realpath(join(dataDir, 'postgres')).catch(() => join(dataDir, 'postgres'));
    const user = await userFor(folder);
    const roots = await temporaryRoots(user);
    const runtime = { user, bin: await runnableBinaries(user, roots, afterStop, log) };
    const host = await socketFolder(roots[0]!, dataDir, user);
    afterStop(() => fs.rm(host, { recursive: true, force: true }));
    await clearLeftovers(folder, host, log);
    const password = await prepareCluster(runtime, dataDir, folder, settings);
    const stop = await keepRunning(runtime, folder, host, settings, log);
    let stopped: Promise<void> | undefined;
    const stopOnce = () => (stopped ??= stop().finally(cleanUp));
    return { host, port: PORT, user: NAME, password, database: NAME, stop: stopOnce };
  } catch (error) {
    await cleanUp();
    throw new Error(`The database in ${dataDir} can't start: ${oneLine(error)}`);
  }
}

async function ownFolder(dataDir: string): Promise<string> {
  try {
    await fs.mkdir(resolve(dataDir), { recursive: true, mode: 0o700 });
    await fs.access(dataDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
    return await fs.realpath(dataDir);
  } catch (error) {
    throw new Error(`The data folder ${resolve(dataDir)} can't be used: ${oneLine(error)}`);
  }
}
