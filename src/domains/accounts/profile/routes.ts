import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageOf } from '../../../shared/schemas.ts';
import { readProfile } from './read-profile.ts';
import { SearchQuery, SeenUser, SetRoleInput, User, UserChange } from './schemas.ts';
import { searchUsers } from './search-users.ts';
import { setRole } from './set-role.ts';
import { updateUser } from './update-user.ts';

const tags = ['Users'];

/** What users do with their own account, and ADMINs with the people of their business. */
export function profileRoutes(app: App): void {
  app.get(
    '/v1/users/me',
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read my profile', response: { 200: User } },
    },
    (request, reply) => readOne(request, reply, readProfile, undefined),
  );

  for (const [path, operationId] of [
    ['/v1/users/update', 'updateUser'],
    ['/v1/users', 'changeUser'],
  ] as const) {
    app.put(
      path,
      {
        config: { access: 'token', versioned: true },
        schema: {
          tags,
          operationId,
          summary: 'Change my profile',
          description:
            'A list that is sent replaces the list. An API key that is left out of `apiTokens` is revoked at once.',
          body: UserChange,
          response: { 200: User },
        },
      },
      (request, reply) => change(request, reply, updateUser, request.body),
    );
  }

  app.get(
    '/v1/users/search',
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'searchUsers',
        summary: 'Search the people of my businesses',
        description:
          'ADMIN only: members, customers and subscribers, without phone numbers, addresses, keys and roles elsewhere. Who has not acted there yet is shown with `id` and roles alone.',
        querystring: SearchQuery,
        response: { 200: PageOf(SeenUser) },
      },
    },
    (request) => query(request, searchUsers, request.query),
  );

  app.put(
    '/v1/users/set-role',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Give a user a role',
        description:
          'ADMIN of the business only. `roleId` adds a role, `roleId: null` takes all of the user’s roles in the business away, and `roleIds` instead of it sets exactly these. `businessId` may be left out where a role is named, because the role has one.',
        body: SetRoleInput,
        response: { 200: SeenUser },
      },
    },
    (request) => command(request, setRole, request.body),
  );
}
