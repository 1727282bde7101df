import type { TSchema } from 'typebox';
import { serializerOf } from '../shared/records/serializer.ts';
import type { App } from './app.ts';

/** Responses contain only the fields in their schema. An object without a schema is not sent, except for errors: their fields are fixed. */
export function serializeBySchema(app: App): void {
  app.setSerializerCompiler(({ schema }) => serializerOf(schema as TSchema, () => app.getSchemas()));
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const { statusCode } = reply;
    if (statusCode >= 400 || reply.getSerializationFunction(String(statusCode))) return done(null, payload);
    const { method, url } = request.routeOptions;
    throw new Error(`${method} ${url} has no schema for the response ${statusCode}.`);
  });
}
