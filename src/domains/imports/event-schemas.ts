import { ListedImport } from './schemas.ts';

/** The data of each event type. */
export const importEvents = {
  'import.created': ListedImport,
  'import.completed': ListedImport,
  'import.failed': ListedImport,
  'import.cancelled': ListedImport,
};
