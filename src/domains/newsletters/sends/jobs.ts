import type { Command } from '../../../context/index.ts';
import type { SendKey } from './send-queries.ts';

export const SEND_JOB = 'newsletter-send';
export const START_JOB = 'newsletter-start';
export const SWEEP_JOB = 'newsletter-sweep';

export type SendJob = { businessId: string; sendId: string };

/** Starts a send at its time. A queue of its own: those that are being sent do not stand in its way. */
export const enqueueStart = (ctx: Command, { businessId, id }: SendKey, afterSeconds: number) =>
  ctx.enqueue(START_JOB, { businessId, sendId: id }, { startAfterSeconds: afterSeconds, key: id });

/** Continues a send after so many seconds. Of several such jobs that wait, the first stays. */
export const enqueueSend = (ctx: Command, { businessId, id }: SendKey, afterSeconds: number) =>
  ctx.enqueue(SEND_JOB, { businessId, sendId: id }, { startAfterSeconds: afterSeconds, key: id });

/** Invites another worker. While a send runs there is always such a job: a worker that is free takes it and helps. */
export const enqueueHelper = (ctx: Command, { businessId, id }: SendKey) =>
  ctx.enqueue(SEND_JOB, { businessId, sendId: id }, { startAfterSeconds: 2, key: `${id}:help` });

/** Checks a send now, whatever other jobs of it wait. */
export const enqueueCheck = (ctx: Command, { businessId, id }: SendKey) =>
  ctx.enqueue(SEND_JOB, { businessId, sendId: id }, { key: `${id}:check` });
