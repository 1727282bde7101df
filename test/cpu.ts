/** CPU time of this thread, regardless of other load on the machine. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Far more than linear work on these inputs takes, and far less than quadratic work. */
export const LINEAR_MS = 500;
