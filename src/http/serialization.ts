import type { TSchema } from 'typebox';
import { serializerOf } from '../shared/records/serializer.ts';
import type { App } from './app.ts';

/** Responses contain only the fields in their schema. */
export function serializeBySchema(app: App): void {
  app.setSerializerCompiler(({ schema }) => serializerOf(schema as TSchema, () => app.getSchemas()));
}
