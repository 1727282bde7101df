import Type, { type Static } from 'typebox';
import { CountedPageQuery } from '../../../shared/paging.ts';
import {
  BusinessId,
  Etag,
  Id,
  Input,
  Media,
  MediaInput,
  Name,
  Nullable,
  Slug,
  Timestamp,
} from '../../../shared/schemas.ts';
import {
  CategoryTranslations,
  CategoryTranslationsInput,
  DefaultSlug,
  LocaleQuery,
  RichText,
  Seo,
  SeoInput,
} from '../translations/schemas.ts';

export const MAX_CATEGORIES = 1000;
export const MAX_DEPTH = 6;
/** The value of `parentId` that lists the top level. */
export const ROOT = 'root';

const ParentId = Nullable(
  Type.String({ ...Id, description: 'Null at the top level.', examples: ['cat_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
);
const Position = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description:
    'The position among the categories with the same parent, starting at 0. The categories after it move down.',
  examples: [0],
});

export const CategoryAncestor = Type.Object({ id: Id, name: Name('Shirts'), slug: Slug('shirts') });

export const Category = Type.Object({
  id: Id,
  businessId: BusinessId,
  name: Name('Shirts'),
  slug: Slug('shirts'),
  defaultSlug: DefaultSlug,
  parentId: ParentId,
  ancestors: Type.Array(CategoryAncestor, { description: 'The parent categories, from the top level down.' }),
  position: Position,
  description: RichText,
  media: Nullable(Media),
  seo: Type.Optional(Seo),
  translations: Type.Optional(CategoryTranslations),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Category = Static<typeof Category>;
export const ListedCategory = Type.Object({ ...Category.properties, etag: Etag });
export type ListedCategory = Static<typeof ListedCategory>;

const FIELDS = {
  slug: Type.Optional(Slug('shirts')),
  parentId: Type.Optional(ParentId),
  position: Type.Optional(Position),
  description: Type.Optional(RichText),
  media: Type.Optional(Nullable(MediaInput)),
  seo: SeoInput,
  translations: CategoryTranslationsInput,
};
export const CategoryInput = Input({ name: Name('Shirts'), ...FIELDS });
export type CategoryInput = Static<typeof CategoryInput>;
export const CategoryChanges = Input({ name: Type.Optional(Name('Shirts')), ...FIELDS });
export type CategoryChanges = Static<typeof CategoryChanges>;

export const CategoryQuery = Type.Object({
  ...CountedPageQuery.properties,
  ...LocaleQuery.properties,
  parentId: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Returns the categories directly below this one. `root` returns the top level.',
      examples: [ROOT],
    }),
  ),
});
export type CategoryQuery = Static<typeof CategoryQuery>;
