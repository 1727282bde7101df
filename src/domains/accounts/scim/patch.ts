/** SCIM PATCH requests (RFC 7644, 3.5.2), limited to the attributes of the service's resources. Pure. */
import { isRecord } from '../../../shared/is-record.ts';
import { readMembers, readUser, type UserFields } from './resources.ts';

export type Operation = { op: string; path?: string; value?: unknown };

/** Some providers capitalize operations and prefix paths with the schema. */
const opOf = ({ op }: Operation) => op.toLowerCase();
const pathOf = ({ path = '' }: Operation) => path.replace(/^urn:[^\s]*:(?=\w+$)/, '');

export function patchUser(operations: readonly Operation[]): UserFields {
  return Object.assign({}, ...operations.map(userFieldsOf));
}

function userFieldsOf(operation: Operation): UserFields {
  const path = pathOf(operation);
  const value = opOf(operation) === 'remove' ? '' : operation.value;
  if (path === '') return isRecord(value) ? readUser(unflatten(value)) : {};
  return readUser(unflatten({ [path]: value }));
}

/** `{'name.givenName': 'Ada'}` becomes `{name: {givenName: 'Ada'}}`. */
function unflatten(resource: Record<string, unknown>): Record<string, unknown> {
  const name = isRecord(resource.name) ? { ...resource.name } : {};
  for (const [key, value] of Object.entries(resource)) if (key.startsWith('name.')) name[key.slice(5)] = value;
  return { ...resource, name };
}

export type GroupFields = { name: string; externalId: string | null; members: string[] };

export function patchGroup(group: GroupFields, operations: readonly Operation[]): GroupFields {
  return operations.reduce(applyToGroup, group);
}

function applyToGroup(group: GroupFields, operation: Operation): GroupFields {
  const { value } = operation;
  const op = opOf(operation);
  const path = pathOf(operation);
  const removed = /^members\[value eq "([^"]+)"\]$/i.exec(path)?.[1];
  if (removed !== undefined) return { ...group, members: group.members.filter((id) => id !== removed) };
  if (path === 'members') return { ...group, members: changeMembers(group.members, op, value) };
  const sent = path === '' && isRecord(value) ? value : { [path]: value };
  return {
    name: typeof sent.displayName === 'string' ? sent.displayName : group.name,
    externalId: typeof sent.externalId === 'string' ? sent.externalId : group.externalId,
    members: sent.members === undefined ? group.members : changeMembers(group.members, op, sent.members),
  };
}

function changeMembers(current: readonly string[], op: string, value: unknown): string[] {
  const sent = readMembers(Array.isArray(value) ? value : [value]);
  if (op === 'add') return [...current, ...sent];
  if (op === 'replace') return sent;
  return value === undefined ? [] : current.filter((id) => !sent.includes(id));
}
