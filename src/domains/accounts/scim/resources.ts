/** SCIM 2.0 resources (RFC 7643) as the service returns them. Pure. */
import { invalidField } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/is-record.ts';
import { isStorable } from '../../../shared/text/text.ts';
import type { ScimFilter, ScimGroupRow, ScimPage, ScimUserRow } from './queries.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const MAX_COUNT = 100;

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString();

type Shown = { base: string };

export function showUser(row: ScimUserRow, groups: readonly { id: string; name: string }[], { base }: Shown) {
  const { userId, userName, externalId, givenName, familyName } = row;
  return {
    schemas: [USER_SCHEMA],
    id: userId,
    ...(externalId === null ? {} : { externalId }),
    userName,
    name: { givenName, familyName, formatted: `${givenName} ${familyName}`.trim() },
    active: row.isActive,
    emails: [{ value: userName, primary: true }],
    groups: groups.map(({ id, name }) => ({ value: id, display: name })),
    meta: metaOf('User', row, `${base}/Users/${userId}`),
  };
}

/** `members` is null if the client excluded them. */
export function showGroup(row: ScimGroupRow, members: readonly string[] | null, { base }: Shown) {
  const { id, name, externalId } = row;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName: name,
    ...(members === null ? {} : { members: members.map((value) => ({ value })) }),
    meta: metaOf('Group', row, `${base}/Groups/${id}`),
  };
}

const metaOf = (resourceType: string, row: { createdAt: number; updatedAt: number }, location: string) => ({
  resourceType,
  created: isoTime(row.createdAt),
  lastModified: isoTime(row.updatedAt),
  location,
});

export const listOf = <T>(resources: T[], total: number, { offset }: ScimPage) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});

type Counted = { total: number };

/** The number of matches on all pages. Each row contains it, so an empty page requires another read. */
export async function totalOf(
  rows: readonly Counted[],
  page: ScimPage,
  list: (page: ScimPage) => Promise<readonly Counted[]>,
): Promise<number> {
  const [first] = rows.length > 0 ? rows : await list({ ...page, offset: 0, limit: 1 });
  return first?.total ?? 0;
}

export type ScimQuery = { filter?: string; startIndex?: number; count?: number; excludedAttributes?: string };

/** Null if the filter is not supported: only `userName`, `externalId` and `displayName` with `eq`. */
export function readPage({ filter, startIndex = 1, count = MAX_COUNT }: ScimQuery): ScimPage | null {
  const read = filter === undefined ? null : readFilter(filter);
  if (filter !== undefined && read === null) return null;
  return { filter: read, offset: Math.max(0, startIndex - 1), limit: Math.min(Math.max(0, count), MAX_COUNT) };
}

function readFilter(text: string): ScimFilter {
  const [, name = '', value = ''] = /^\s*(\w+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(text) ?? [];
  const field = (['userName', 'externalId', 'displayName'] as const).find(
    (each) => each.toLowerCase() === name.toLowerCase(),
  );
  try {
    const read: string = JSON.parse(value);
    return field && isStorable(read) ? { field, value: read } : null;
  } catch {
    return null;
  }
}

export type UserFields = Partial<
  Pick<ScimUserRow, 'userName' | 'externalId' | 'givenName' | 'familyName' | 'isActive'>
>;

/** The known attributes of a user. Others are ignored. Some providers send booleans as text. */
export function readUser(resource: Record<string, unknown>): UserFields {
  const { userName, externalId, active, name } = resource;
  const names = isRecord(name) ? name : {};
  return {
    ...(typeof userName === 'string' ? { userName } : {}),
    ...(typeof externalId === 'string' ? { externalId } : {}),
    ...(typeof names.givenName === 'string' ? { givenName: names.givenName } : {}),
    ...(typeof names.familyName === 'string' ? { familyName: names.familyName } : {}),
    ...(active === undefined ? {} : { isActive: active === true || String(active).toLowerCase() === 'true' }),
  };
}

const MAX_TEXT_LENGTH = 200;

export function checkLengths(texts: Record<string, string | null>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text === null || text.length <= MAX_TEXT_LENGTH) continue;
    throw invalidField(name, 'INVALID_VALUE', `${name} must have at most ${MAX_TEXT_LENGTH} characters.`);
  }
}

export const readMembers = (members: unknown): string[] =>
  (Array.isArray(members) ? members : []).flatMap((each) =>
    isRecord(each) && typeof each.value === 'string' ? [each.value] : [],
  );
