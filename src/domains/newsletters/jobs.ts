import type { Tx } from '../../db/connection.ts';
import type { Jobs } from '../../jobs/index.ts';
import type { SendKey } from './send-queries.ts';

export const SEND_JOB = 'newsletter-send';
export const SWEEP_JOB = 'newsletter-sweep';

export type SendJob = { businessId: string; sendId: string };

/** Goes on with a send after so many seconds. Of several such calls that wait, one is kept. */
export const enqueueSend = (jobs: Jobs, tx: Tx, { businessId, id }: SendKey, afterSeconds: number) =>
  jobs.enqueue(tx, SEND_JOB, { businessId, sendId: id }, { startAfterSeconds: afterSeconds, key: id });

/** Asks another worker to join in. While a send runs this call goes round: a free worker that hears it begins to help. */
export const enqueueHelp = (jobs: Jobs, tx: Tx, { businessId, id }: SendKey) =>
  jobs.enqueue(tx, SEND_JOB, { businessId, sendId: id }, { startAfterSeconds: 2, key: `${id}:help` });

/** Looks after a send now, whatever other calls wait. */
export const enqueueLook = (jobs: Jobs, tx: Tx, { businessId, id }: SendKey) =>
  jobs.enqueue(tx, SEND_JOB, { businessId, sendId: id }, { key: `${id}:look` });
