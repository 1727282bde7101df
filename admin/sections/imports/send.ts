/** Uploads a file and keeps it while the page is open, so that one click imports it after a dry run. */
import type { CreateImportQuery, Import } from '@souk/client';
import { souk } from '../../shell/session.ts';

type Sent = { file: File; query: CreateImportQuery };

const sent = new Map<string, Sent>();
const HOUR_MS = 3_600_000;

export async function sendFile(
  file: File,
  query: CreateImportQuery,
  onUploadProgress: (share: number) => void,
): Promise<Import> {
  const created = await souk.imports.create(file, {
    query: { ...query, fileName: file.name.slice(0, 200) },
    headers: { 'content-type': 'application/octet-stream' },
    timeoutMs: HOUR_MS,
    tries: 1,
    onUploadProgress,
  });
  sent.set(created.id, { file, query });
  return created;
}

/** Null after a reload. */
export const findSent = (id: string) => sent.get(id) ?? null;
