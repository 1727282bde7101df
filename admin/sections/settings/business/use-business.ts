/**
 * A section of the business settings in a form. All sections are one record with one version. Concurrent changes to other sections
 * are merged.
 */
import type { Business, BusinessChange } from '@souk/client';
import { useRecord } from '../../../parts/editing/use-record.ts';
import { business, reloadMe, souk } from '../../../shell/session.ts';

type Part<T extends object> = {
  name: string;
  read: (business: Business) => T;
  /** The request body. Sections of `configs` replace the stored ones. */
  write: (values: T, changes: Partial<T>) => BusinessChange;
};

export function useBusiness<T extends object>({ name, read, write }: Part<T>) {
  const id = business.value!.id;
  const toVersion = (found: Business & { etag?: string }) => ({ values: read(found), etag: found.etag });
  return useRecord<T>({
    key: `business ${id} ${name}`,
    load: async (signal) => toVersion(await souk.businesses.get(id, { signal })),
    save: async (changes, { ifMatch, values }) => {
      const saved = await souk.businesses.update(id, write(values, changes), ifMatch ? { ifMatch } : {});
      await reloadMe();
      return toVersion(saved);
    },
  });
}
