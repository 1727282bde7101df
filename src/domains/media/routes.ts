import type { FastifyInstance } from 'fastify';
import { acceptStreams } from '../../http/bodies/multipart.ts';
import type { App } from '../../http/server.ts';
import { deliveryRoutes } from './delivery/routes.ts';
import { largeUploadRoutes, partRoutes } from './large-uploads/routes.ts';
import { libraryRoutes } from './library/routes.ts';
import { createUploadLimit } from './uploads/limit-uploads.ts';
import { uploadRoutes } from './uploads/routes.ts';

export function mediaRoutes(app: App): void {
  const limitUploads = createUploadLimit();
  app.register(async (scope) => {
    acceptStreams(scope as unknown as FastifyInstance, 'multipart/form-data', 'application/octet-stream');
    uploadRoutes(scope as unknown as App, limitUploads);
    partRoutes(scope as unknown as App, limitUploads);
  });
  libraryRoutes(app);
  largeUploadRoutes(app);
  deliveryRoutes(app);
}
