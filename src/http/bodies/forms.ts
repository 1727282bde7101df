import formbody from '@fastify/formbody';
import { invalid } from '../../shared/errors.ts';
import type { App } from '../app.ts';
import { findBadText } from '../validation/validation.ts';

const FORM_BODY_LIMIT = 65_536;

/**
 * Parses the forms of our pages into an object of strings. If a name occurs twice, the last value wins. Applies only to the
 * scope of `app`: API routes keep responding with 415, so that other sites can't post forms to them.
 */
export function acceptForms(app: App): void {
  app.register(formbody, {
    bodyLimit: FORM_BODY_LIMIT,
    parser: (text) => Object.fromEntries(new URLSearchParams(text)),
  });
  // Email clients unsubscribe with a multipart form (RFC 8058). The URL contains the token, so the fields are ignored.
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: FORM_BODY_LIMIT },
    (_request, _body, done) => done(null, undefined),
  );
  app.addHook('preValidation', (request, _reply, done) => {
    const bad = findBadText(request.body, '');
    done(bad ? invalid([bad]) : undefined);
  });
}
