/**
 * Media: the files of a business. An **item** is a file of the library with what is known of it; the **store** holds its
 * **objects**: what was uploaded, and for an image its **sizes**, in several formats. An **upload** is a large file on its way in
 * **parts**. **Users** are the records of other domains that carry an item.
 *
 * Invariants: an object is in the store before a row speaks of it, and is deleted after its row. No two rows share an object. One
 * content is one item in a business. What lies under a public name never changes, holds no metadata of an image, and has a type
 * that its content has. Bytes of strangers are decoded in a process of their own and never held in memory as a whole.
 */
import { join } from 'node:path';
import type { Platform } from '../../context/index.ts';
import { createImages } from '../../providers/images/index.ts';
import { createOutbound } from '../../providers/outbound/index.ts';
import { createStorage } from '../../providers/storage/index.ts';
import { StorageRefused } from '../../providers/storage/port.ts';
import { CHECK_UPLOAD, checkUpload, RESUME_CHECKS, resumeChecks } from './check-upload.ts';
import type { MediaServices } from './context.ts';
import { DELETE_FILES, deleteFiles } from './delete-media.ts';
import { MAKE_FORMATS, makeFormats } from './make-formats.ts';
import { REFRESH_USERS, type RefreshUser, refreshUsers } from './refresh-users.ts';
import { SWEEP, sweep } from './sweep.ts';

export type { MediaServices } from './context.ts';
export { toMedia } from './item.ts';
export type { MediaRow } from './queries.ts';
export { deleteReferences, existingMedia, saveReferences } from './queries.ts';
export { findMediaFile } from './read-media.ts';
export type { RefreshUser } from './refresh-users.ts';
export { type Alt, MAX_ALT_LENGTH, MAX_ALT_LOCALES, MAX_TITLE_LENGTH, type MediaChange } from './schemas.ts';
export { type Spooled, spool } from './spool.ts';
export { BadFile, inStore } from './store-file.ts';
export { deleteFilesOf } from './sweep.ts';
export { addMedia, storeDrawing, uploadByUrl } from './upload-files.ts';
export {
  adoptMedia,
  findUsedMedia,
  type MediaById,
  mapMedia,
  mediaIdsIn,
  mediaIn,
  useMedia,
  useMediaInBlocks,
  waitingAddresses,
} from './use-media.ts';

/** A store that refuses us stops the start; one that is away may come back. */
export async function createMedia(platform: Platform) {
  const { config, log, publicUrl } = platform;
  const storage = await createStorage(config.storage);
  await storage.check().catch((error: Error) => {
    if (error instanceof StorageRefused) throw new Error(`STORAGE_URL: ${error.message}.`);
    log.warn({ err: error }, 'the file store cannot be used for now');
  });
  const local = config.storage.type === 'disk' ? config.storage.folder : join(config.dataDir, 'media');
  registerJobs(platform);
  return {
    storage,
    images: createImages(),
    outbound: createOutbound({ allow: config.outboundAllow }),
    /** Files on their way, in a folder from which the disk's own store can take them over by renaming. */
    scraps: join(local, 'scraps'),
    /** Where the store is elsewhere: the folder that is swept beside it. */
    localScraps:
      config.storage.type === 'disk' ? null : await createStorage({ type: 'disk', folder: local, publicUrl: null }),
    /** What the names of files are appended to, in answers. */
    baseUrl: () => config.storage.publicUrl ?? `${publicUrl()}/media`,
    /** The same in what is stored: a path, so that it stays right when the service moves. */
    storedBase: config.storage.publicUrl ?? '/media',
    users: new Map<string, RefreshUser>(),
    /** Records of this kind carry items: `product:…`. */
    registerUser(kind: string, refresh: RefreshUser): void {
      this.users.set(kind, refresh);
    },
  };
}

export type Media = Awaited<ReturnType<typeof createMedia>>;

function registerJobs({ handleJobs }: Platform): void {
  handleJobs<{ uploadId: string }, MediaServices>({
    name: CHECK_UPLOAD,
    urgent: true,
    expireSeconds: 7200,
    concurrency: 2,
    handle: checkUpload,
  });
  handleJobs<object, MediaServices>({ name: RESUME_CHECKS, cron: '* * * * *', handle: resumeChecks });
  handleJobs<{ mediaId: string }, MediaServices>({
    name: MAKE_FORMATS,
    expireSeconds: 600,
    // An image that cannot be made is no error: what fails is the store or the disk, and no sweep looks for what is missing then.
    retryLimit: 1000,
    handle: makeFormats,
  });
  handleJobs<{ keys: string[] }, MediaServices>({ name: DELETE_FILES, handle: deleteFiles });
  handleJobs<{ mediaId: string; entities?: string[] }, MediaServices>({
    name: REFRESH_USERS,
    urgent: true,
    expireSeconds: 3600,
    handle: refreshUsers,
  });
  handleJobs<object, MediaServices>({ name: SWEEP, cron: '41 3 * * *', expireSeconds: 14_400, handle: sweep });
}
