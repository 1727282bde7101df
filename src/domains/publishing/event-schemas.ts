import { Release } from './schemas.ts';

/** The data of each event type. */
export const publishingEvents = {
  'release.created': Release,
  'release.updated': Release,
  'release.cancelled': Release,
  'release.published': Release,
  'release.failed': Release,
};
