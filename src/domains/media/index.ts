/**
 * Media: the files of a business. An **item** is a file in the library with its metadata. The **store** holds its **objects**: the
 * uploaded file and, for an image, its **sizes** in several formats. A **large upload** arrives in **parts**. **References** are
 * the records of other domains that use an item and contain a copy of it.
 *
 * Invariants: an object is stored before its row is written, and deleted after its row. No two rows share an object. A business has
 * at most one item with the same content. A public object never changes, holds no image metadata, and its type is detected from
 * its content. Untrusted images are decoded in a separate process; files are never held in memory as a whole.
 */
import { join } from 'node:path';
import type { Platform } from '../../context/index.ts';
import { createImages } from '../../providers/images/index.ts';
import { createOutbound } from '../../providers/outbound/index.ts';
import { createStorage } from '../../providers/storage/index.ts';
import { StorageRefused } from '../../providers/storage/port.ts';
import { MAKE_FORMATS, makeFormats } from './delivery/make-formats.ts';
import { CHECK_UPLOAD, checkUpload } from './large-uploads/check-upload.ts';
import { DELETE_FILES, deleteFiles } from './library/delete-media.ts';
import { REFRESH_USERS, refreshUsers } from './library/refresh-users.ts';
import type { Media, MediaUsers } from './service.ts';
import { SWEEP, sweep } from './sweep.ts';

export type { MediaServices } from './context.ts';
export { mediaEvents } from './event-schemas.ts';
export { readImage } from './library/read-image.ts';
export { findMediaFile } from './library/read-media.ts';
export type { RefreshUser } from './library/refresh-users.ts';
export type { MediaRow } from './queries.ts';
export { deleteReferences, existingMedia, saveReferences } from './queries.ts';
export { type Alt, MAX_ALT_LENGTH, MAX_ALT_LOCALES, MAX_TITLE_LENGTH, type MediaChange } from './schemas.ts';
export type { Media } from './service.ts';
export { deleteFilesOf } from './sweep.ts';
export { type Spooled, spool } from './uploads/spool.ts';
export { BadFile, inStore } from './uploads/store-file.ts';
export { addMedia, storeDrawing, uploadByUrl } from './uploads/upload-files.ts';
export {
  findUsedMedia,
  type MediaById,
  mapMedia,
  matchImportedMedia,
  mediaIdsIn,
  mediaIn,
  useMedia,
  useMediaInBlocks,
  waitingAddresses,
} from './use-media.ts';

/** Rejects if the storage rejects the credentials. If it is only unreachable, the service starts anyway. */
export async function createMedia(platform: Platform, users: MediaUsers): Promise<Media> {
  const { config, log, publicUrl } = platform;
  const storage = await createStorage(config.storage);
  await storage.check().catch((error: Error) => {
    if (error instanceof StorageRefused) throw new Error(`STORAGE_URL: ${error.message}.`);
    log.warn({ err: error }, 'File storage is unavailable');
  });
  const local = config.storage.type === 'disk' ? config.storage.folder : join(config.dataDir, 'media');
  registerJobs(platform);
  return {
    storage,
    images: createImages(),
    animations: createImages(),
    outbound: createOutbound({ allow: config.outboundAllow }),
    temporaryFolder: join(local, 'scraps'),
    localDisk:
      config.storage.type === 'disk' ? null : await createStorage({ type: 'disk', folder: local, publicUrl: null }),
    baseUrl: () => config.storage.publicUrl ?? `${publicUrl()}/media`,
    storedBase: config.storage.publicUrl ?? '/media',
    users: new Map(Object.entries(users)),
  };
}

function registerJobs({ handleJobs, handleTasks }: Platform): void {
  handleTasks<{ uploadId: string }>({
    name: CHECK_UPLOAD,
    urgent: true,
    expireSeconds: 7200,
    concurrency: 2,
    // A bad file is not an error. Only storage or disk failures get here: they are retried every minute for a week.
    retryLimit: 10_000,
    retryDelayMaxSeconds: 60,
    handle: checkUpload,
  });
  handleTasks<{ mediaId: string }>({
    name: MAKE_FORMATS,
    expireSeconds: 600,
    // A bad image is not an error. Only storage or disk failures get here, and no sweep looks for missing formats.
    retryLimit: 1000,
    handle: makeFormats,
  });
  handleTasks<{ keys: string[] }>({ name: DELETE_FILES, handle: deleteFiles });
  handleTasks<{ mediaId: string; entities?: string[] }>({
    name: REFRESH_USERS,
    urgent: true,
    expireSeconds: 3600,
    handle: refreshUsers,
  });
  handleJobs<object>({ name: SWEEP, cron: '41 3 * * *', expireSeconds: 14_400, handle: sweep });
}
