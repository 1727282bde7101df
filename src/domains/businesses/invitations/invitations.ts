import { notFound } from '../../../shared/errors.ts';
import { type Page, type PageQuery, pageLimit } from '../../../shared/paging.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command, Query } from '../context.ts';
import { lockAsAdmin } from '../roles/lock.ts';
import { emitInvitation } from './emit-invitation.ts';
import { deleteInvitationRow, listInvitationRows } from './queries.ts';
import type { Invitation } from './schemas.ts';

/** Lists open invitations. */
export async function listInvitations(ctx: Query, query: PageQuery): Promise<Page<Invitation>> {
  const { db, cursors, businessId, now } = ctx;
  const scope = `invitations:newest:${businessId}`;
  const limit = pageLimit(query.limit);
  const [after = null] = cursors.decode(scope, query.cursor) ?? [];
  const rows = await listInvitationRows(db, businessId, now, after as string | null, limit + 1);
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => row,
  );
}

/** Revokes the invitation and its link. */
export async function deleteInvitation(ctx: Command, id: string) {
  await lockAsAdmin(ctx, ctx.businessId);
  const invitation = await deleteInvitationRow(ctx.db, ctx.businessId, id);
  if (!invitation) throw notFound('Invitation');
  emitInvitation(ctx, 'invitation.revoked', invitation);
  return SUCCESS;
}
