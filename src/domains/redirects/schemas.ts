import Type, { type Static } from 'typebox';
import { CountedPageQuery } from '../../shared/paging.ts';
import { Id, Input, Timestamp } from '../../shared/schemas.ts';

const From = Type.String({
  maxLength: 1000,
  pattern: '^/(?!/)[^\\s\\\\]*$',
  description: 'The old path, without a scheme or host. The query and fragment are ignored.',
  examples: ['/products/linen-shirt'],
});
const To = Type.String({
  maxLength: 2000,
  pattern: '^(?:/(?!/)|https?://)[^\\s\\\\]*$',
  description: 'The new path, or a URL on another site.',
  examples: ['/products/summer-shirt'],
});

export const RedirectInput = Input({
  from: From,
  to: To,
  status: Type.Optional(Type.Integer({ enum: [301], description: 'Always 301.', examples: [301] })),
});
export type RedirectInput = Static<typeof RedirectInput>;

export const Redirect = Type.Object({
  id: Id,
  from: From,
  to: To,
  status: Type.Integer({ description: 'The HTTP status of the response.', examples: [301] }),
  isAutomatic: Type.Boolean({ description: 'Whether a slug change created the redirect.', examples: [true] }),
  createdAt: Timestamp,
});
export type Redirect = Static<typeof Redirect>;

export const RedirectQuery = Type.Object({
  ...CountedPageQuery.properties,
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Part of a path.', examples: ['shirt'] })),
});
export type RedirectQuery = Static<typeof RedirectQuery>;
