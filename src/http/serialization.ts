import buildSerializer, { type Schema } from 'fast-json-stringify';
import type { App } from './server.ts';

/**
 * Answers hold what their schema names, and nothing else. As with validators, the code for it is made when a route is first
 * called: made for all of them, it would be most of the time that a start takes.
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
