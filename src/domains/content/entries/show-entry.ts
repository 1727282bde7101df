import { pickFields } from '../../../shared/records/pick-fields.ts';
import { showBlocks } from '../../../shared/records/show-blocks.ts';
import { Entry } from './schemas.ts';

/** Expands the paths of an entry's files to full URLs, and names the default access. */
export const withFullUrls = (entry: Entry, publicUrl: string): Entry => ({
  ...entry,
  access: entry.access ?? 'PUBLIC',
  blocks: showBlocks(entry.blocks, publicUrl),
});

/** An entry as members see it, in responses to changes and in events. */
export const showEntry = (entry: Entry, publicUrl: string): Entry => withFullUrls(pickFields(Entry, entry), publicUrl);
