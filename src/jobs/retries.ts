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

/**
 * Thrown by a handler if the receiver of all jobs of its queue is down, such as the mail server. It doesn't count as an attempt: the
 * queue pauses, and one job after the other tries whether the receiver is back.
 */
export class ReceiverDown extends Error {}

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
