import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import Type from 'typebox';
import type { App } from '../http/server.ts';
import { notFound } from '../shared/errors.ts';
import { matchesTag } from '../shared/headers.ts';

const FOLDER = new URL('./assets/', import.meta.url);

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type Asset = { body: Buffer; type: string; etag: string };

/** Serves the files of `assets/`. Browsers revalidate them each time, so a page never gets the stylesheet of another version. */
export function assetRoutes(app: App): void {
  const assets = readAssets();
  app.get(
    '/pages/:file',
    { config: { access: 'public' }, schema: { params: Type.Object({ file: Type.String({ maxLength: 200 }) }) } },
    (request, reply) => {
      const asset = assets.get(request.params.file);
      if (!asset) throw notFound('File');
      reply.header('cache-control', 'public, no-cache').header('etag', asset.etag);
      if (matchesTag(request.headers['if-none-match'], asset.etag)) return reply.code(304).send();
      return reply.header('content-type', asset.type).send(asset.body);
    },
  );
}

function readAssets(): Map<string, Asset> {
  const names = readdirSync(FOLDER).filter((name) => extname(name) in TYPES);
  return new Map(
    names.map((name) => {
      const body = readFileSync(new URL(name, FOLDER));
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
      return [name, { body, type: TYPES[extname(name)]!, etag }];
    }),
  );
}
