import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import secureJson from 'secure-json-parse';
import { badRequest, invalid } from '../../shared/errors.ts';
import { enterRequest } from '../clients/request-work.ts';
import { findBadText } from '../validation/validation.ts';

const MAX_DEPTH = 64;
/** More fields make every later step slow, and no record has that many. */
const MAX_FIELDS = 10_000;
/** In characters. Larger bodies take long enough to delay other requests. */
const LARGE = 65_536;

/**
 * Parses JSON bodies. Rejects nesting deep enough to overflow the stack, huge objects, `__proto__` keys, and text that PostgreSQL
 * can't store. An empty body counts as no body. Large bodies are parsed and checked one at a time, and other requests run in between.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  let previous = Promise.resolve();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    const finish = () => {
      enterRequest(request);
      try {
        done(null, parseJson(text as string));
      } catch (error) {
        done(error as Error, undefined);
      }
    };
    if (text.length < LARGE) return finish();
    previous = previous.then(() => letOthersRun()).then(finish);
  });
}

export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  checkSize(text);
  const value = parse(text);
  const bad = text.includes('\\u') ? findBadText(value, '') : null;
  if (bad) throw invalid([bad]);
  return value;
}

function parse(text: string): unknown {
  try {
    return secureJson.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

/** Counts brackets and colons outside of strings before parsing. */
function checkSize(text: string): void {
  const fields = new Uint32Array(MAX_DEPTH + 1);
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      if (++depth > MAX_DEPTH) throw badRequest(`The JSON body can be nested at most ${MAX_DEPTH} levels deep.`);
      fields[depth] = 0;
    } else if (code === 125 || code === 93) depth--;
    else if (code === 58 && ++fields[depth]! > MAX_FIELDS)
      throw badRequest(`An object in the JSON body can have at most ${MAX_FIELDS} fields.`);
  }
}
