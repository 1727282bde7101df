import { change, perform, query, readOne } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessSlugParams, PageOf } from '../../shared/schemas.ts';
import {
  CompareQuery,
  PreviewLink,
  ProductVersionParams,
  PublishInput,
  Version,
  VersionDetail,
} from '../publishing/index.ts';
import { productVersions, restoreProduct } from './product-versions.ts';
import { publishProduct } from './publish-product.ts';
import { discardDraft, readDraft } from './save-draft.ts';
import { isTaken } from './save-product.ts';
import { Product } from './schemas.ts';

const PRODUCT = '/v1/businesses/:businessId/products/:id';
const tags = ['Products'];

export function productVersionRoutes(app: App): void {
  app.get(
    `${PRODUCT}/versions`,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        operationId: 'listProductVersions',
        summary: "List a product's versions",
        description: 'Newest first. How many are kept is a setting.',
        params: BusinessSlugParams,
        querystring: PageQuery,
        response: { 200: PageOf(Version) },
      },
    },
    (request) => query(request, productVersions.list, { ...request.query, id: request.params.id }),
  );

  app.get(
    `${PRODUCT}/versions/:number`,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        operationId: 'getProductVersion',
        summary: 'Read a version of a product',
        description: 'With its document, and field by field what differs from the version before or from `against`.',
        params: ProductVersionParams,
        querystring: CompareQuery,
        response: { 200: VersionDetail },
      },
    },
    (request) => query(request, productVersions.read, { ...request.query, ...request.params }),
  );

  app.post(
    `${PRODUCT}/versions/:number/restore`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'restoreProductVersion',
        summary: 'Restore a version of a product',
        description:
          'Makes a new version with the content of this one, public at once if the product is. Statuses and stock stay.',
        params: ProductVersionParams,
        response: { 200: Product },
      },
    },
    (request, reply) => change(request, reply, restoreProduct, request.params, { retry: isTaken }),
  );

  app.post(
    `${PRODUCT}/publish`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true, bodyOptional: true },
      schema: {
        tags,
        summary: 'Publish a product',
        description:
          'With its draft where there is one. With `at` ahead it is published then, and waits in `scheduled`.',
        params: BusinessSlugParams,
        body: PublishInput,
        response: { 200: Product },
      },
    },
    (request, reply) => change(request, reply, publishProduct, { ...request.body, id: request.params.id }),
  );

  app.get(
    `${PRODUCT}/draft`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'getProductDraft',
        summary: 'Read the draft of a product',
        description: 'The draft beside the public product, or the product itself where there is none.',
        params: BusinessSlugParams,
        response: { 200: Product },
      },
    },
    (request, reply) => readOne(request, reply, readDraft, request.params.id),
  );

  app.delete(
    `${PRODUCT}/draft`,
    {
      config: { access: 'CATALOG_WRITE', versioned: true },
      schema: {
        tags,
        operationId: 'discardProductDraft',
        summary: 'Discard the draft of a product',
        description: 'The product stays as it is. What was drafted stays among its versions.',
        params: BusinessSlugParams,
        response: { 200: Product },
      },
    },
    (request, reply) => change(request, reply, discardDraft, request.params.id),
  );

  app.post(
    `${PRODUCT}/preview-link`,
    {
      config: { access: 'CATALOG_WRITE' },
      schema: {
        tags,
        operationId: 'linkProductPreview',
        summary: 'Make a preview link of a product',
        description: 'An address that shows the draft as JSON to whoever has it, for an hour.',
        params: BusinessSlugParams,
        response: { 200: PreviewLink },
      },
    },
    (request) => perform(request, productVersions.linkPreview, request.params.id),
  );
}
