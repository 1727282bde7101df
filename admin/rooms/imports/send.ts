/** Sends a file, and remembers it while the page is open: what was tried is imported with one more click. */
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
  const made = await souk.imports.create(file, {
    query: { ...query, fileName: file.name.slice(0, 200) },
    headers: { 'content-type': 'application/octet-stream' },
    timeoutMs: HOUR_MS,
    tries: 1,
    onUploadProgress,
  });
  sent.set(made.id, { file, query });
  return made;
}

/** Null: the page was loaded anew since. */
export const findSent = (id: string) => sent.get(id) ?? null;
