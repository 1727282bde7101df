/** The retries of a failing job or task, and the time limit of an attempt. */
export type Retries = {
  retryLimit?: number;
  retryDelaySeconds?: number;
  retryDelayMaxSeconds?: number;
  expireSeconds?: number;
};

/**
 * Work during which the process died this many times in a row has failed for good: it probably ends the process, and would do so
 * forever.
 */
export const MAX_INTERRUPTIONS = 3;

export const RETRY_DEFAULTS = {
  retryLimit: 10,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 600,
  expireSeconds: 300,
} satisfies Retries;

/** Doubles with each attempt; half of it is random, so that tasks that fail together are not retried together. */
export function retryDelay(attempts: number, { retryDelaySeconds, retryDelayMaxSeconds }: Required<Retries>): number {
  const most = Math.min(retryDelaySeconds * 2 ** Math.min(attempts - 1, 20), retryDelayMaxSeconds);
  return Math.ceil(most / 2 + (Math.random() * most) / 2);
}
