import formbody from '@fastify/formbody';
import { invalid } from '../shared/errors.ts';
import type { App } from './server.ts';
import { findBadText } from './validation.ts';

const FORM_BODY_LIMIT = 65_536;

/**
 * Reads what the forms of our pages send, as an object of strings; of two fields with one name the last counts. Only for the
 * scope of `app`: API routes go on answering 415, so that no page on another site can post to them with a form.
 */
export function acceptForms(app: App): void {
  app.register(formbody, {
    bodyLimit: FORM_BODY_LIMIT,
    parser: (text) => Object.fromEntries(new URLSearchParams(text)),
  });
  // Mail programs unsubscribe with a form of this kind (RFC 8058). Its address says all, so its fields are not read.
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
