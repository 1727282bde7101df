import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessSlugParams, CountedPageOf, Success } from '../../../shared/schemas.ts';
import { LocaleQuery } from '../translations/schemas.ts';
import { changeCategory, createCategory } from './change-categories.ts';
import { deleteCategory } from './delete-category.ts';
import { listCategoryTree, readCategory } from './read-categories.ts';
import { Category, CategoryChanges, CategoryInput, CategoryQuery, ListedCategory } from './schemas.ts';

const CATEGORIES = '/v1/businesses/:businessId/categories';
const tags = ['Categories'];

export function categoryRoutes(app: App): void {
  app.post(
    CATEGORIES,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        operationId: 'createCategory',
        summary: 'Create a category',
        description:
          'If `slug` is omitted, it is generated from the name. If `position` is omitted, the category is added last.',
        params: BusinessParams,
        body: CategoryInput,
        response: { 200: Category },
      },
    },
    (request) => command(request, createCategory, request.body),
  );

  app.get(
    CATEGORIES,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listCategoryTree',
        summary: 'List the category tree',
        description:
          'Returns each category, followed by the categories below it. With `parentId`, returns only the categories directly below that one.',
        params: BusinessParams,
        querystring: CategoryQuery,
        response: { 200: CountedPageOf(ListedCategory) },
      },
    },
    (request) => query(request, listCategoryTree, request.query),
  );

  app.get(
    `${CATEGORIES}/:id`,
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        operationId: 'getCategory',
        summary: 'Get a category',
        description: 'Finds a category by ID or slug, including its slugs in other languages.',
        params: BusinessSlugParams,
        querystring: LocaleQuery,
        response: { 200: Category },
      },
    },
    (request, reply) => readOne(request, reply, readCategory, { id: request.params.id, ...request.query }),
  );

  app.put(
    `${CATEGORIES}/:id`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'updateCategory',
        summary: 'Update a category',
        description:
          "Omitted fields keep their values. Changing the slug creates a redirect. A category can't be moved into itself or one of its subcategories.",
        params: BusinessSlugParams,
        body: CategoryChanges,
        response: { 200: Category },
      },
    },
    (request, reply) => change(request, reply, changeCategory, { id: request.params.id, changes: request.body }),
  );

  app.delete(
    `${CATEGORIES}/:id`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'deleteCategory',
        summary: 'Delete a category',
        description: 'Its subcategories move up one level. Its products are kept.',
        params: BusinessSlugParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteCategory, request.params.id),
  );
}
