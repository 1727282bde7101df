import { diskStorage } from './disk.ts';
import type { Storage, StorageSettings } from './port.ts';

/** The store that STORAGE_URL names. */
export async function createStorage(settings: StorageSettings): Promise<Storage> {
  if (settings.type === 'disk') return diskStorage(settings.folder);
  return (await import('./s3.ts')).s3Storage(settings);
}
