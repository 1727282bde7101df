import Type from 'typebox';
import type { Deps } from '../../deps.ts';
import type { App } from '../../http/server.ts';
import { notFound } from '../../shared/errors.ts';
import { etagOf } from '../../shared/etag.ts';
import { PageQuery, pageLimit } from '../../shared/paging.ts';
import { Id, PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import type { Businesses } from '../businesses/index.ts';
import type { Accounts } from './index.ts';
import { deleteOwnSession } from './logout.ts';
import { confirmPhone, sendPhoneCode } from './phone.ts';
import { listSessions } from './queries.ts';
import { resetPassword } from './reset-password.ts';
import {
  PhoneConfirmInput,
  PhoneInput,
  ResetInput,
  SearchQuery,
  Session,
  SetRoleInput,
  User,
  UserChange,
} from './schemas.ts';
import { searchUsers } from './search-users.ts';
import { setRole } from './set-role.ts';
import { updateUser } from './update-user.ts';
import { getUser } from './users.ts';

const tags = ['Users'];

/** What a user does with his own account, and an ADMIN with the people of his business. */
export function userRoutes(
  app: App,
  { pool, quick, cursors, clock }: Deps,
  accounts: Accounts,
  businesses: Businesses,
): void {
  const { context } = accounts;

  app.get(
    '/v1/users/me',
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read my profile', response: { 200: User } },
    },
    async ({ caller }, reply) => {
      const { user, version } = await getUser(quick, caller.userId);
      reply.header('etag', etagOf(version));
      return user;
    },
  );

  for (const path of ['/v1/users/update', '/v1/users']) {
    app.put(
      path,
      {
        config: { access: 'token', versioned: true },
        schema: {
          tags,
          summary: 'Change my profile',
          description:
            'A list that is sent replaces the list. An API key that is left out of `apiTokens` is revoked at once.',
          body: UserChange,
          response: { 200: User },
        },
      },
      async ({ caller, body, headers }, reply) => {
        const { user, version } = await updateUser(context, caller, body, headers['if-match']);
        reply.header('etag', etagOf(version));
        return user;
      },
    );
  }

  app.post(
    '/v1/users/phone-number',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Send a code to a phone number',
        description: 'Six digits, valid for 10 minutes and 5 tries; once a minute.',
        body: PhoneInput,
        response: { 200: Success },
      },
    },
    async ({ caller, body }) => {
      await sendPhoneCode(context, caller.userId, body.phoneNumber);
      return SUCCESS;
    },
  );

  app.post(
    '/v1/users/phone-number/confirm',
    {
      config: { access: 'token' },
      schema: { tags, summary: 'Confirm a phone number', body: PhoneConfirmInput, response: { 200: Success } },
    },
    async ({ caller, body }) => {
      await confirmPhone(context, caller.userId, body.phoneNumber, body.code);
      return SUCCESS;
    },
  );

  app.post(
    '/v1/users/reset-password',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Change my password',
        description: 'Every session ends, this one too.',
        body: ResetInput,
        response: { 200: Success },
      },
    },
    async ({ caller, body }) => {
      await resetPassword(context, caller.userId, body);
      return SUCCESS;
    },
  );

  app.get(
    '/v1/users/sessions',
    {
      config: { access: 'token' },
      schema: { tags, summary: 'List my sessions', querystring: PageQuery, response: { 200: PageOf(Session) } },
    },
    async ({ caller, query }) => {
      const scope = 'sessions:newest';
      const limit = pageLimit(query.limit);
      const [after = null] = cursors.decode(scope, query.cursor) ?? [];
      const rows = await listSessions(pool, caller.userId, clock.seconds(), after as string | null, limit + 1);
      return cursors.page(
        scope,
        rows,
        limit,
        (row) => [row.id],
        (row) => ({ ...row, current: row.id === caller.sessionId }),
      );
    },
  );

  app.delete(
    '/v1/users/sessions/:id',
    {
      config: { access: 'token' },
      schema: { tags, summary: 'End one of my sessions', params: Type.Object({ id: Id }), response: { 200: Success } },
    },
    async ({ caller, params }) => {
      await deleteOwnSession(context, caller.userId, params.id);
      return SUCCESS;
    },
  );

  app.get(
    '/v1/users/search',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Search the people of my businesses',
        description:
          'ADMIN only: members, customers and subscribers, without phone numbers, addresses, keys and roles elsewhere.',
        querystring: Type.Object({ ...SearchQuery.properties, ...PageQuery.properties }),
        response: { 200: PageOf(User) },
      },
    },
    async ({ caller, query }) => {
      if (query.businessId !== undefined && !(await businesses.exists(query.businessId))) throw notFound('Business');
      return searchUsers({ db: pool, cursors, ties: accounts.ties }, caller, query);
    },
  );

  app.put(
    '/v1/users/set-role',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Give a user a role',
        description: 'ADMIN of the business only. `roleId: null` takes all of the user’s roles in it away.',
        body: SetRoleInput,
        response: { 200: User },
      },
    },
    async ({ caller, body }) => setRole(context, businesses, caller, body),
  );
}
