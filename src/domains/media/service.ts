import type { Images } from '../../providers/images/index.ts';
import type { Outbound } from '../../providers/outbound/index.ts';
import type { Storage } from '../../providers/storage/port.ts';
import type { RefreshUser } from './library/refresh-users.ts';

/** Update the copies of items in records, by record type: `product:…`. */
export type MediaUsers = Readonly<Record<'product' | 'category' | 'entry', RefreshUser>>;

export type Media = Readonly<{
  storage: Storage;
  images: Images;
  /** Processes GIFs, which are slow, separately from other images. */
  animations: Images;
  outbound: Outbound;
  /** Folder for temporary files. Disk storage can move files from here by renaming them. */
  temporaryFolder: string;
  /** With remote storage: the local folder to sweep. */
  localDisk: Storage | null;
  /** The base of file URLs in responses. */
  baseUrl(): string;
  /** The base of file URLs in stored documents: a path, so that it stays valid when the service moves. */
  storedBase: string;
  users: ReadonlyMap<string, RefreshUser>;
}>;

declare module '../../context/index.ts' {
  interface AppServices {
    readonly media: Media;
  }
}
