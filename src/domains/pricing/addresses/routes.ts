import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { App } from '../../../http/server.ts';
import {
  countryName,
  findAddressFormat,
  isEuMember,
  labelLanguage,
  listCountries,
} from '../../../shared/addresses/index.ts';
import { notFound } from '../../../shared/errors.ts';
import { matchesTag } from '../../../shared/headers.ts';
import { PageOf } from '../../../shared/schemas.ts';
import { AddressFormat, AddressFormatParams, AddressFormatQuery, ListedCountry } from './schemas.ts';

const tags = ['Address formats'];
/** The formats change only with a new version of the service. */
const FOR_A_DAY = 'public, max-age=86400, immutable';

export function addressRoutes(app: App): void {
  const etags = new Map<string, string>();

  /** Responds with 304 if the client already has this version. */
  function send<T extends object>(reply: FastifyReply, key: string, record: T): T {
    const etag = etags.get(key) ?? `"${hash('sha256', JSON.stringify(record), 'base64url').slice(0, 16)}"`;
    etags.set(key, etag);
    reply.header('cache-control', FOR_A_DAY).header('etag', etag);
    return matchesTag(reply.request.headers['if-none-match'], etag) ? (reply.code(304).send() as never) : record;
  }

  app.get(
    '/v1/address-formats',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'List countries',
        description: 'Returns all countries, sorted by their English name.',
        response: { 200: PageOf(ListedCountry) },
      },
    },
    (_request, reply) => send(reply as FastifyReply, '', { items: countries(), cursor: null }),
  );

  app.get(
    '/v1/address-formats/:country',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: "Get a country's address format",
        description: 'Returns the fields, states and postal codes of the country, for address forms.',
        params: AddressFormatParams,
        querystring: AddressFormatQuery,
        response: { 200: AddressFormat },
      },
    },
    ({ params, query }, reply) => {
      const country = params.country.toUpperCase();
      const language = labelLanguage(query.locale);
      const format = findAddressFormat(country, language);
      if (!format) throw notFound('Country');
      return send(reply as FastifyReply, `${country} ${language}`, format);
    },
  );
}

const countries = (): ListedCountry[] =>
  listCountries().map((country) => ({ country, name: countryName(country), isEuMember: isEuMember(country) }));
