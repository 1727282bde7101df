import { createBound } from '../../../shared/bound.ts';
import { unavailable } from '../../../shared/errors.ts';
import type { Caller } from '../../../shared/security/caller.ts';

/** Concurrent uploads per process, per business and per account. */
const MAX_UPLOADS = 200;
const MAX_PER_BUSINESS = 50;
const MAX_PER_ACCOUNT = 30;

/** Time to send a file: 25 MiB at 30 KB/s. */
export const UPLOAD_MS = 900_000;

type Uploader = { params: { businessId: string }; caller: Caller };
export type UploadLimit = <T>(request: Uploader, work: () => Promise<T>) => Promise<T>;

/** Runs up to `MAX_UPLOADS` uploads at a time. Further requests get 503. */
export function createUploadLimit(): UploadLimit {
  const uploads = createBound({ max: MAX_UPLOADS, maxPer: { business: MAX_PER_BUSINESS, account: MAX_PER_ACCOUNT } });
  return async ({ params, caller }, work) => {
    const leave = uploads.enter({ business: params.businessId, account: caller.userId });
    if (!leave) throw unavailable('Too many files are being uploaded. Try again later.');
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
