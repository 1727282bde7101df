import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageOf } from '../../../shared/schemas.ts';
import { readProfile } from './read-profile.ts';
import { SearchQuery, SeenUser, SetRoleInput, User, UserChange } from './schemas.ts';
import { searchUsers } from './search-users.ts';
import { setRole } from './set-role.ts';
import { updateUser } from './update-user.ts';

const tags = ['Users'];

/** Routes for the caller's own profile, and for ADMINs to manage the people of their business. */
export function profileRoutes(app: App): void {
  app.get(
    '/v1/users/me',
    {
      config: { access: 'token', versioned: true, openToLimited: true },
      schema: { tags, summary: 'Get my profile', response: { 200: User } },
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
        config: { access: 'token', versioned: true, openToLimited: true, grantsAccess: true },
        schema: {
          tags,
          operationId,
          summary: 'Update my profile',
          description:
            'A submitted list replaces the stored list. An API key missing from `apiTokens` is revoked immediately. A session from single sign-on can change only `apiTokens`, and only the keys that are limited to its business.',
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
      config: { access: 'token', openToLimited: true },
      schema: {
        tags,
        operationId: 'searchUsers',
        summary: 'Search users in my businesses',
        description:
          'Requires the `ADMIN` permission. Returns members, customers and subscribers without their phone numbers, addresses, API keys or roles in other businesses. A user who has not interacted with the business yet has only `id`, `roleIds` and `roles`.',
        querystring: SearchQuery,
        response: { 200: PageOf(SeenUser) },
      },
    },
    (request) => query(request, searchUsers, request.query),
  );

  app.put(
    '/v1/users/set-role',
    {
      config: { access: 'token', openToLimited: true, grantsAccess: true },
      schema: {
        tags,
        summary: "Set a user's roles",
        description:
          "Requires the `ADMIN` permission. `roleId` adds a role, and `roleId: null` removes all of the user's roles in the business. `roleIds` replaces the user's roles. `businessId` is required only to remove all roles.",
        body: SetRoleInput,
        response: { 200: SeenUser },
      },
    },
    (request) => command(request, setRole, request.body),
  );
}
