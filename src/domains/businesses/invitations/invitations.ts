import { notFound } from '../../../shared/errors.ts';
import { type Page, type PageQuery, pageLimit } from '../../../shared/paging.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command, Query } from '../context.ts';
import { deleteInvitationRow, listInvitationRows } from './queries.ts';
import type { Invitation } from './schemas.ts';
import { tellInvitation } from './tell-invitation.ts';

/** The open ones. */
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

/** Takes it back: its link is void. */
export async function deleteInvitation(ctx: Command, id: string) {
  const invitation = await deleteInvitationRow(ctx.db, ctx.businessId, id);
  if (!invitation) throw notFound('Invitation');
  await tellInvitation(ctx, 'invitation.revoked', invitation);
  return SUCCESS;
}
