import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import { ChosenId, Etag, Id, IdOrSlug, Input, Line, Name, Nullable, Text, Timestamp } from '../../../shared/schemas.ts';
import { Tags } from '../subscriptions/schemas.ts';
import type { FormRow } from './queries.ts';
import { embedHtml, formUrl } from './write-form.ts';

const MAX_FIELDS = 5;

const settings = {
  planId: Nullable({ ...ChosenId, description: 'The plan for new subscribers. Null means the first free plan.' }),
  heading: Line(100, { examples: ['Letters from the harbor'] }),
  text: Text(500, { minLength: 0, examples: ['Once a month, no spam.'] }),
  button: Line(40, { description: 'Empty means the default text.', examples: ['Subscribe'] }),
  asksName: Type.Boolean({ description: 'Whether the form asks for a name.' }),
  tags: { ...Tags, description: 'New subscribers get these tags when they confirm.' },
  fields: Type.Array(Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['city'] }), {
    maxItems: MAX_FIELDS,
    description: 'Names of additional fields in the form.',
  }),
  thanks: Text(500, { minLength: 0, description: 'Shown after signing up. Empty means the default text.' }),
  redirectUrl: Nullable(
    Type.String({
      maxLength: 2000,
      description: 'The page to open after signing up, on an allowed origin.',
      examples: ['https://shop.example/thanks'],
    }),
  ),
};

export const SignupForm = Type.Object({
  id: Id,
  collectionId: Id,
  name: Name('Footer form'),
  ...settings,
  url: Type.String({ description: 'A page with the form.', examples: ['https://souk.example/f/biz_1/form_1'] }),
  html: Type.String({ description: 'The form to embed on a website. It works without JavaScript.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type SignupForm = Static<typeof SignupForm>;

export const ListedSignupForm = Type.Object({ ...SignupForm.properties, etag: Etag });
export type ListedSignupForm = Static<typeof ListedSignupForm>;

export const SignupFormInput = Input({
  collectionId: IdOrSlug,
  name: Name('Footer form'),
  ...Type.Partial(Type.Object(settings)).properties,
});
export type SignupFormInput = Static<typeof SignupFormInput>;

export const SignupFormChange = Input({
  name: Type.Optional(Name('Footer form')),
  ...Type.Partial(Type.Object(settings)).properties,
});
export type SignupFormChange = Static<typeof SignupFormChange>;

export const FormQuery = PageQuery;
export type FormQuery = Static<typeof FormQuery>;

export function formOf(row: FormRow, publicUrl: string, language: string): SignupForm {
  const { id, collectionId, name, doc, createdAt, updatedAt } = row;
  return {
    id,
    collectionId,
    name,
    ...doc,
    tags: [...doc.tags],
    fields: [...doc.fields],
    url: formUrl(publicUrl, row),
    html: embedHtml(publicUrl, row, language),
    createdAt,
    updatedAt,
  };
}
