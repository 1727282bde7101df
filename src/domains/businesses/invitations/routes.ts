import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import { answerInvitation } from './answer-invitation.ts';
import { deleteInvitation, listInvitations } from './invitations.ts';
import { invite } from './invite.ts';
import { Invitation, InvitationAnswer, InvitationInput } from './schemas.ts';

const INVITATION = '/v1/businesses/:businessId/invitation';
const tags = ['Invitations'];

export function invitationRoutes(app: App): void {
  app.post(
    INVITATION,
    {
      config: { access: 'ADMIN', grantsAccess: true },
      schema: {
        tags,
        operationId: 'createInvitation',
        summary: 'Invite a member',
        description:
          'Emails a single-use link that expires after 7 days. A new invitation to the same email replaces the previous one. An invitation also becomes invalid when its sender loses the `ADMIN` permission.',
        params: BusinessParams,
        body: InvitationInput,
        response: { 200: Invitation },
      },
    },
    (request) => command(request, invite, request.body),
  );

  app.get(
    INVITATION,
    {
      config: { access: 'ADMIN' },
      schema: {
        tags,
        operationId: 'listInvitations',
        summary: 'List pending invitations',
        params: BusinessParams,
        querystring: PageQuery,
        response: { 200: PageOf(Invitation) },
      },
    },
    (request) => query(request, listInvitations, request.query),
  );

  app.put(
    INVITATION,
    {
      config: { access: 'token', grantsAccess: true },
      schema: {
        tags,
        operationId: 'answerInvitation',
        summary: 'Accept or decline an invitation',
        description:
          'Requires the token from the invitation email. The caller must be logged in with the invited email.',
        params: BusinessParams,
        body: InvitationAnswer,
        response: { 200: Success },
      },
    },
    (request) => command(request, answerInvitation, request.body),
  );

  app.delete(
    `${INVITATION}/:id`,
    {
      config: { access: 'ADMIN', grantsAccess: true },
      schema: { tags, summary: 'Revoke an invitation', params: BusinessRecordParams, response: { 200: Success } },
    },
    (request) => command(request, deleteInvitation, request.params.id),
  );
}
