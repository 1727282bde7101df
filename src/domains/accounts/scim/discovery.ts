/** Discovery: the SCIM features that the service supports. */
import { GROUP_SCHEMA, USER_SCHEMA } from './resources.ts';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

const listOf = (resources: readonly object[]) => ({
  schemas: [LIST],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
});

export const SERVICE_PROVIDER_CONFIG = {
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 100 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'The SCIM token of the business.', primary: true },
  ],
};

export const RESOURCE_TYPES = listOf(
  [
    ['User', '/Users', USER_SCHEMA],
    ['Group', '/Groups', GROUP_SCHEMA],
  ].map(([name, endpoint, schema]) => ({ schemas: [`${CORE}:ResourceType`], id: name, name, endpoint, schema })),
);

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

export const SCHEMAS = listOf([
  {
    id: USER_SCHEMA,
    name: 'User',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('name', { type: 'complex', subAttributes: [attribute('givenName'), attribute('familyName')] }),
      attribute('active', { type: 'boolean' }),
      attribute('emails', { type: 'complex', multiValued: true, mutability: 'readOnly' }),
      attribute('groups', { type: 'complex', multiValued: true, mutability: 'readOnly' }),
    ],
  },
  {
    id: GROUP_SCHEMA,
    name: 'Group',
    attributes: [
      attribute('displayName', { required: true }),
      attribute('externalId', { caseExact: true }),
      attribute('members', { type: 'complex', multiValued: true }),
    ],
  },
]);
