import Type from 'typebox';
import { change, command, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, Email, Success } from '../../../shared/schemas.ts';
import { createScimToken, deleteScimToken } from '../scim/tokens.ts';
import { findSsoBusinesses } from './find-businesses.ts';
import { deleteSso, saveSso } from './save-sso.ts';
import { ScimToken, Sso, SsoBusinesses, SsoInput } from './schemas.ts';
import { readSso } from './show-sso.ts';
import { verifyDomains } from './verify-domains.ts';

const SSO = '/v1/businesses/:businessId/sso';
const tags = ['Single sign-on'];
const config = { access: 'ADMIN', grantsAccess: true } as const;
const params = BusinessParams;

export function ssoRoutes(app: App): void {
  app.get(
    '/v1/users/login/sso',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Users'],
        operationId: 'findSsoBusinesses',
        summary: 'Find the businesses that offer single sign-on for an email',
        description: 'Only the domain of the email is used. Continue with `GET /v1/users/login/url?provider=SSO`.',
        querystring: Type.Object({ email: Email }),
        response: { 200: SsoBusinesses },
      },
    },
    (request) => command(request, findSsoBusinesses, request.query.email),
  );

  app.get(
    SSO,
    {
      config: { access: 'ADMIN', versioned: true },
      schema: {
        tags,
        operationId: 'getSso',
        summary: 'Get the single sign-on settings',
        params,
        response: { 200: Sso },
      },
    },
    (request, reply) => readOne(request, reply, readSso, undefined),
  );

  app.put(
    SSO,
    {
      config: { ...config, versioned: true },
      schema: {
        tags,
        operationId: 'saveSso',
        summary: 'Set up single sign-on',
        description:
          'Connects the business to an OpenID Connect provider. Omitted fields keep their values. The provider can only log in people whose email domain is verified by a DNS record, and only to this business.',
        params,
        body: SsoInput,
        response: { 200: Sso },
      },
    },
    (request, reply) => change(request, reply, saveSso, request.body),
  );

  app.delete(
    SSO,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteSso',
        summary: 'Remove single sign-on',
        description: 'Ends all sessions started with single sign-on. Members keep their roles.',
        params,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteSso, undefined),
  );

  app.post(
    `${SSO}/verify-domains`,
    {
      config,
      schema: {
        tags,
        operationId: 'verifySsoDomains',
        summary: 'Verify domains',
        description: 'Looks up the TXT records of the domains that are not verified yet.',
        params,
        response: { 200: Sso },
      },
    },
    (request, reply) => change(request, reply, verifyDomains, undefined),
  );

  app.post(
    `${SSO}/scim-token`,
    {
      config,
      schema: {
        tags,
        operationId: 'createScimToken',
        summary: 'Create a SCIM token',
        description: 'Replaces the previous token. The token is returned only once.',
        params,
        response: { 200: ScimToken },
      },
    },
    (request) => command(request, createScimToken, undefined),
  );

  app.delete(
    `${SSO}/scim-token`,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteScimToken',
        summary: 'Revoke the SCIM token',
        params,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteScimToken, undefined),
  );
}
