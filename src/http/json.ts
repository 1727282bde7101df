import type { FastifyInstance } from 'fastify';
import secureJson from 'secure-json-parse';
import { badRequest, invalid } from '../shared/errors.ts';
import { findBadText } from './validation.ts';

const MAX_DEPTH = 64;

/**
 * Reads JSON bodies. Refuses what would hurt later: nesting that overflows a recursive walk, `__proto__` keys, and text that
 * PostgreSQL cannot store. An empty body is no body.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseJson(text as string));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  if (isDeep(text)) throw badRequest(`The JSON is nested deeper than ${MAX_DEPTH} levels.`);
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

/** Counts brackets outside strings, before anything is parsed. */
function isDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}
