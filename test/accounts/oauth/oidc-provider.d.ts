/** Types for the parts of oidc-provider that the tests use. The package has none of its own. */
declare module 'oidc-provider' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export default class Provider extends EventEmitter {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: object,
    ): Promise<void>;
    Grant: new (
      properties: object,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> };
  }
}
