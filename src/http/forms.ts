import type { FastifyRequest } from 'fastify';
import { badRequest, invalid } from '../shared/errors.ts';
import type { App } from './server.ts';
import { findBadText } from './validation.ts';

const FORM_BODY_LIMIT = 65_536;

/**
 * Reads what a browser's form sends, as an object of strings; of two fields with one name the last counts, files are dropped.
 * Only for the scope of `app`: API routes go on answering 415, so that no page on another site can post to them with a form.
 */
export function acceptForms(app: App): void {
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  const options = { parseAs: 'buffer', bodyLimit: FORM_BODY_LIMIT } as const;
  app.addContentTypeParser(types, options, (request: FastifyRequest, body: Buffer) =>
    parseForm(body, request.headers['content-type'] ?? ''),
  );
}

export async function parseForm(body: Buffer, contentType: string): Promise<Record<string, string>> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw badRequest('The form cannot be read.');
    });
  const fields = Object.fromEntries(
    [...form].filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
  const bad = findBadText(fields, '');
  if (bad) throw invalid([bad]);
  return fields;
}
