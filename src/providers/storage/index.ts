import { diskStorage } from './disk.ts';
import type { Storage, StorageSettings } from './port.ts';

/** Creates the storage configured in STORAGE_URL. */
export async function createStorage(settings: StorageSettings): Promise<Storage> {
  if (settings.type === 'disk') return diskStorage(settings.folder);
  return (await import('./s3.ts')).s3Storage(settings);
}
