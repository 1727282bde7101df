import type { Platform } from '../../../context/index.ts';
import { createRecordResponses } from '../../../shared/records/record-responses.ts';
import { asJson, type SerializedJson, serializerOf } from '../../../shared/records/serializer.ts';
import { publicPart } from './public-part.ts';
import { Entry, ListedEntry, ListedPublicEntry, PublicEntry } from './schemas.ts';
import { withFullUrls } from './show-entry.ts';

const serializePublic = serializerOf<Entry>(PublicEntry);

/** The entry as non-members see it. Readers with access see all of it. */
export const publicEntryResponse = (entry: Entry, publicUrl: string, audience: 'reader' | 'public'): SerializedJson =>
  asJson(serializePublic(withFullUrls(audience === 'reader' ? entry : publicPart(entry), publicUrl)));

export const createEntryResponses = ({ publicUrl }: Pick<Platform, 'publicUrl'>) =>
  createRecordResponses<Entry>(
    {
      'member record': Entry,
      'member item': ListedEntry,
      'public record': PublicEntry,
      'public item': ListedPublicEntry,
      'reader record': PublicEntry,
      'reader item': ListedPublicEntry,
    },
    (entry, view) => withFullUrls(view.startsWith('public') ? publicPart(entry) : entry, publicUrl()),
  );
