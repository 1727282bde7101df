import { MediaItem } from './schemas.ts';

/** The data of each event type. */
export const mediaEvents = { 'media.created': MediaItem, 'media.updated': MediaItem, 'media.deleted': MediaItem };
