import { notFound } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import { allowedTypes, requireFor } from './access.ts';
import type { Query } from './context.ts';
import { countImages } from './images/queries.ts';
import { findImport, type ImportRow, listErrorRows, listImportRows, type Severity } from './queries.ts';
import type { Import, ImportError, ImportsQuery, ListedImport } from './schemas.ts';
import { viewImport } from './view-import.ts';

const SHOWN_ERRORS = 20;

async function getImport(ctx: Query, id: string): Promise<ImportRow> {
  const row = await findImport(ctx.db, ctx.businessId, id);
  if (!row) throw notFound('Import');
  requireFor(ctx, row.type);
  return row;
}

export async function readImport(ctx: Query, id: string): Promise<Import> {
  const row = await getImport(ctx, id);
  const first = (severity: Severity) =>
    listErrorRows(ctx.db, ctx.businessId, id, { severity, after: 0, limit: SHOWN_ERRORS });
  const [errors, warnings, pictures] = await Promise.all([
    first('ERROR'),
    first('WARNING'),
    countImages(ctx.db, ctx.businessId, id),
  ]);
  return { ...viewImport(row), errors: errors.map(viewError), warnings: warnings.map(viewError), pictures };
}

const viewError = ({ row, field, error, message }: ImportError): ImportError => ({ row, field, error, message });

/** The imports of types that the caller can import, newest first. */
export async function listImports(ctx: Query, query: ImportsQuery): Promise<Page<ListedImport>> {
  const { replica, businessId, cursors } = ctx;
  const types = allowedTypes(ctx).filter((type) => query.type === undefined || query.type === type);
  if (query.type !== undefined) requireFor(ctx, query.type);
  const limit = pageLimit(query.limit);
  const scope = `imports:${businessId}`;
  const [before = null] = cursors.decode(scope, query.cursor) ?? [];
  const rows =
    types.length === 0 ? [] : await listImportRows(replica, businessId, types, before as string | null, limit + 1);
  return cursors.page(scope, rows, limit, (row) => [row.id], viewImport);
}

/** The errors or warnings found so far, by row. */
export async function listErrors(
  ctx: Query,
  { id, severity, ...query }: { id: string; severity: Severity; limit?: number; cursor?: string },
): Promise<Page<ImportError>> {
  await getImport(ctx, id);
  const limit = pageLimit(query.limit);
  const scope = `import-${severity}:${ctx.businessId}:${id}`;
  const [after = 0] = ctx.cursors.decode(scope, query.cursor) ?? [];
  const rows = await listErrorRows(ctx.replica, ctx.businessId, id, {
    severity,
    after: after as number,
    limit: limit + 1,
  });
  return ctx.cursors.page(scope, rows, limit, (row) => [row.n], viewError);
}
