import type { Platform } from '../../../context/index.ts';
import { createRecordResponses } from '../../../shared/records/record-responses.ts';
import { asJson, type SerializedJson, serializerOf } from '../../../shared/records/serializer.ts';
import { Entry, ListedEntry, ListedPublicEntry, PublicEntry } from './schemas.ts';
import { withFullUrls } from './show-entry.ts';

const serializePublic = serializerOf<Entry>(PublicEntry);

/** The entry as non-members see it. */
export const publicEntryJson = (entry: Entry, publicUrl: string): SerializedJson =>
  asJson(serializePublic(withFullUrls(entry, publicUrl)));

export const createEntryResponses = ({ publicUrl }: Pick<Platform, 'publicUrl'>) =>
  createRecordResponses<Entry>(
    {
      'member record': Entry,
      'member item': ListedEntry,
      'public record': PublicEntry,
      'public item': ListedPublicEntry,
    },
    (entry) => withFullUrls(entry, publicUrl()),
  );
