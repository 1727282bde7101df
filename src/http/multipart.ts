import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest, tooLarge } from '../shared/errors.ts';

/** In the scope of `app` these bodies are left alone, for handlers that read them as a stream. */
export function acceptStreams(app: FastifyInstance, ...contentTypes: string[]): void {
  for (const type of contentTypes) app.addContentTypeParser(type, (_request, _payload, done) => done(null, undefined));
}

type FormReader = {
  /** Has to read the stream to its end, or raise. */
  onFile(name: string, body: Readable, fileName: string | undefined): Promise<void>;
  onField(name: string, value: string): void;
};

const LIMITS = {
  files: 20,
  fields: 50,
  parts: 70,
  fieldSize: 8192,
  fieldNameSize: 100,
  headerPairs: 20,
  headerSize: 8192,
};

/**
 * Reads a multipart form as it arrives, at the pace at which its files are taken. The first error ends it; what the client still
 * sends then is let go by, so that it sees the answer instead of a broken connection.
 */
export async function readForm(request: FastifyRequest, { onFile, onField }: FormReader): Promise<void> {
  const { raw } = request;
  const form = open(raw);
  const files: Promise<void>[] = [];
  const bodies: Readable[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (name, body, fileName) => {
        bodies.push(body);
        files.push(onFile(name, body, fileName));
        files.at(-1)!.catch(reject);
      });
      form.on('field', (name, value, _nameTruncated, valueTruncated) => {
        if (valueTruncated) reject(tooLarge('A field of the form is too long.'));
        onField(name, value);
      });
      for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const) {
        form.on(limit, () =>
          reject(tooLarge(`A form may have at most ${LIMITS.files} files and ${LIMITS.fields} fields.`)),
        );
      }
      form.once('error', () => reject(malformed()));
      form.once('finish', resolve);
      raw.once('close', () => {
        if (!raw.complete) reject(malformed());
      });
      raw.pipe(form);
    });
    await Promise.all(files);
  } catch (error) {
    raw.unpipe(form);
    raw.resume();
    form.destroy();
    // The form leaves the file that it was in open: whoever reads it would wait for ever.
    for (const body of bodies) body.destroy();
    await Promise.allSettled(files);
    throw error;
  }
}

function open(raw: IncomingMessage) {
  try {
    const headers = { ...raw.headers, 'content-type': raw.headers['content-type'] ?? '' };
    return new Busboy({ headers, limits: LIMITS, isPartAFile: (_name, _type, fileName) => fileName !== undefined });
  } catch {
    throw malformed();
  }
}

const malformed = () => badRequest('The form is malformed or was cut off.');
