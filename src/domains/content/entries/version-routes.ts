import type { App } from '../../../http/server.ts';
import { isTextsChangedError } from '../../../shared/blocks/index.ts';
import { BusinessRecordParams } from '../../../shared/schemas.ts';
import { versionRoutes } from '../../publishing/index.ts';
import { entryKind } from './entry-kind.ts';
import { isSlugTaken } from './entry-settings.ts';
import { Entry } from './schemas.ts';

export const entryVersionRoutes = (app: App): void =>
  versionRoutes(app, {
    kind: entryKind,
    path: '/v1/businesses/:businessId/entries/:id',
    params: BusinessRecordParams,
    tag: 'Entries',
    one: 'an entry',
    record: Entry,
    readers: 'token',
    readersNote: 'Requires permission to read unpublished entries. ',
    restoreNote: 'Statuses and access are not changed.',
    previewNote: ' With `audience=reader`, they also show the part that only subscribers can read.',
    retry: (error) => isTextsChangedError(error) || isSlugTaken(error),
  });
