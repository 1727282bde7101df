import type { ImportRow } from './queries.ts';
import type { ListedImport } from './schemas.ts';

export function viewImport(row: ImportRow): ListedImport {
  const { id, businessId, type, format, dryRun, status, fileName, size, rows, created, updated, unchanged } = row;
  const { skipped, failed, errorCount, notes, error, userId, createdAt, startedAt, completedAt } = row;
  const progress = status === 'DONE' ? 1 : Math.min(0.999, size > 0 ? row.position / size : 0);
  return {
    ...{ id, businessId, type, format, dryRun, status, fileName, size, progress: Math.round(progress * 1000) / 1000 },
    ...{ rows, created, updated, unchanged, skipped, failed, errorCount, notes, error, userId },
    ...{ createdAt, startedAt, completedAt },
  };
}
