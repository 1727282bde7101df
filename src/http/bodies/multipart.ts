import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badRequest, ServiceError, tooLarge } from '../../shared/errors.ts';
import { bodyStream } from './body-stream.ts';

/** Leaves bodies of these types unparsed in the scope of `app`, for handlers that read them as a stream. */
export function acceptStreams(app: FastifyInstance, ...contentTypes: string[]): void {
  for (const type of contentTypes) app.addContentTypeParser(type, (_request, _payload, done) => done(null, undefined));
}

type FormReader = {
  /** Must read the stream to its end, or throw. */
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
 * Streams a multipart form, at the pace of its file handlers. Stops at the first error and discards the rest of the body, so
 * that the client sees the response instead of a connection reset.
 */
export async function readForm(request: FastifyRequest, { onFile, onField }: FormReader): Promise<void> {
  const form = open(request.raw);
  const body = bodyStream(request);
  const files: Promise<void>[] = [];
  const bodies: Readable[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (name, file, fileName) => {
        bodies.push(file.on('error', () => {}));
        files.push(onFile(name, file, fileName));
        files.at(-1)!.catch(reject);
      });
      form.on('field', (name, value, _nameTruncated, valueTruncated) => {
        if (valueTruncated) reject(tooLarge(`A form field must be at most ${LIMITS.fieldSize} bytes.`));
        onField(name, value);
      });
      for (const limit of ['filesLimit', 'partsLimit', 'fieldsLimit'] as const) {
        form.on(limit, () =>
          reject(tooLarge(`A form must have at most ${LIMITS.files} files and ${LIMITS.fields} fields.`)),
        );
      }
      form.once('error', () => reject(malformed()));
      form.once('finish', resolve);
      // Busboy waits forever for the end of a part without headers.
      form.once('prefinish', () => {
        Promise.allSettled(files).then(() => setImmediate(() => reject(malformed())));
      });
      body.once('error', (error) => reject(error instanceof ServiceError ? error : malformed()));
      body.pipe(form);
    });
    await Promise.all(files);
  } catch (error) {
    body.destroy();
    form.destroy();
    // Busboy leaves the files open, so their readers would wait forever. Without an error, a reader that starts later would too.
    for (const file of bodies) file.destroy(error as Error);
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

const malformed = () => badRequest('The form is malformed or incomplete.');
