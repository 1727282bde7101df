import { rm } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { readForm } from '../../../http/bodies/multipart.ts';
import { command, stream } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import type { OnInvalid } from '../../../http/validation/on-invalid.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { BusinessParams } from '../../../shared/schemas.ts';
import { UploadByUrl, Uploaded } from '../schemas.ts';
import { UPLOAD_MS, type UploadLimit } from './limit-uploads.ts';
import { deleteStored, receiveFile, type Upload, type UploadSource, uploadFiles } from './upload-files.ts';

export function uploadRoutes(app: App, limitUploads: UploadLimit): void {
  app.post(
    '/v1/businesses/:businessId/upload',
    {
      config: { access: 'MEDIA_WRITE', bodyMs: UPLOAD_MS, streamsBody: true, onInvalid: exemptForms },
      schema: {
        tags: ['Media'],
        operationId: 'uploadMedia',
        summary: 'Upload files',
        description:
          'Send a multipart form in which each `files` (or `urls`) field is a file or a URL to fetch, or send JSON: `{"files": [urls]}`. Either all files are added, or none are. If a file is already in the library, the existing file is returned.',
        consumes: ['multipart/form-data', 'application/json'],
        params: BusinessParams,
        body: UploadByUrl,
        response: { 200: Uploaded },
      },
    },
    (request, reply) =>
      limitUploads(request, async () => {
        const disconnected = new AbortController();
        reply.raw.once('close', () => disconnected.abort());
        const sources = await sourcesOf(request);
        const upload: Upload = { sources, stored: [] };
        try {
          return await command(request, uploadFiles, upload, { signal: disconnected.signal });
        } catch (error) {
          // A ServiceError means that nothing was committed. After any other error the outcome is unknown, so the sweep
          // cleans up.
          if (error instanceof ServiceError) await stream(request, deleteStored, upload.stored).catch(() => {});
          throw error;
        } finally {
          await removeSpooled(sources);
        }
      }),
  );
}

const isForm = (request: FastifyRequest) => request.headers['content-type']?.startsWith('multipart/') ?? false;

/** The schema of the body describes JSON. A form is read as a stream by the handler. */
const exemptForms: OnInvalid = (request, error) =>
  isForm(request) && error.validationContext === 'body' ? null : error;

/** The files and URLs in a request. Files are spooled to disk. */
async function sourcesOf(request: FastifyRequest): Promise<UploadSource[]> {
  if (!isForm(request)) {
    return (request.body as { files: string[] }).files.map((url) => ({ url }));
  }
  const sources: (UploadSource | null)[] = [];
  const isFileField = (name: string) => /^(?:files?|urls?)(?:\[\d*\])?$/.test(name);
  try {
    await readForm(request, {
      async onFile(name, body, fileName) {
        if (!isFileField(name)) return void body.resume();
        const at = sources.push(null) - 1;
        sources[at] = { file: await stream(request, receiveFile, body), fileName };
      },
      onField(name, value) {
        if (isFileField(name) && value.trim() !== '') sources.push({ url: value.trim() });
      },
    });
  } catch (error) {
    await removeSpooled(sources);
    throw error;
  }
  return sources.filter((source) => source !== null);
}

async function removeSpooled(sources: readonly (UploadSource | null)[]): Promise<void> {
  for (const source of sources) if (source && 'file' in source) await rm(source.file.path, { force: true });
}
