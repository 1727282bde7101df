/** The responses of SCIM, as RFC 7643 and 7644 define them. */
import Type, { type TSchema } from 'typebox';

const schemas = Type.Array(Type.String());

const Meta = Type.Object({
  resourceType: Type.String(),
  created: Type.String(),
  lastModified: Type.String(),
  location: Type.String(),
});

export const ScimUser = Type.Object({
  schemas,
  id: Type.String(),
  externalId: Type.Optional(Type.String()),
  userName: Type.String(),
  name: Type.Object({ givenName: Type.String(), familyName: Type.String(), formatted: Type.String() }),
  active: Type.Boolean(),
  emails: Type.Array(Type.Object({ value: Type.String(), primary: Type.Boolean() })),
  groups: Type.Array(Type.Object({ value: Type.String(), display: Type.String() })),
  meta: Meta,
});

export const ScimGroup = Type.Object({
  schemas,
  id: Type.String(),
  externalId: Type.Optional(Type.String()),
  displayName: Type.String(),
  members: Type.Optional(Type.Array(Type.Object({ value: Type.String() }))),
  meta: Meta,
});

export const ScimListOf = <T extends TSchema>(resource: T) =>
  Type.Object({
    schemas,
    totalResults: Type.Integer(),
    startIndex: Type.Integer(),
    itemsPerPage: Type.Integer(),
    Resources: Type.Array(resource),
  });

const Supported = { supported: Type.Boolean() };

export const ScimProviderConfig = Type.Object({
  schemas,
  patch: Type.Object(Supported),
  bulk: Type.Object({ ...Supported, maxOperations: Type.Integer(), maxPayloadSize: Type.Integer() }),
  filter: Type.Object({ ...Supported, maxResults: Type.Integer() }),
  changePassword: Type.Object(Supported),
  sort: Type.Object(Supported),
  etag: Type.Object(Supported),
  authenticationSchemes: Type.Array(
    Type.Object({
      type: Type.String(),
      name: Type.String(),
      description: Type.String(),
      primary: Type.Boolean(),
    }),
  ),
});

export const ScimResourceType = Type.Object({
  schemas,
  id: Type.String(),
  name: Type.String(),
  endpoint: Type.String(),
  schema: Type.String(),
});

const attribute = {
  name: Type.String(),
  type: Type.String(),
  multiValued: Type.Boolean(),
  required: Type.Boolean(),
  caseExact: Type.Boolean(),
  mutability: Type.String(),
  returned: Type.String(),
  uniqueness: Type.String(),
};
const Attribute = Type.Object({
  ...attribute,
  subAttributes: Type.Optional(Type.Array(Type.Object(attribute))),
});

export const ScimSchema = Type.Object({ id: Type.String(), name: Type.String(), attributes: Type.Array(Attribute) });
