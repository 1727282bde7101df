import buildSerializer, { type Schema } from 'fast-json-stringify';
import type { App } from './server.ts';

/**
 * Answers hold what their schema names, and nothing else. As with validators, the code for it is made when a route is first
 * called: made for all of them at the start, both together cost 0.6 s and 14 MB (docs/performance.md).
 */
export function serializeBySchema(app: App): void {
  app.setSerializerCompiler(({ schema }) => {
    let serialize: ((value: unknown) => string) | undefined;
    return (value) => {
      serialize ??= buildSerializer(schema as Schema, { schema: app.getSchemas() as Record<string, Schema> });
      return serialize(value);
    };
  });
}
