export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/** A model that responds with JSON matching a schema. Callers must still validate the response. */
export type ChatModel = {
  /** Resolves to the text of the response. Throws `ModelFailed` if there is none. */
  complete(messages: ChatMessage[], schema: object, signal: AbortSignal): Promise<string>;
};

/** The model is unreachable, slow, overloaded or refuses. */
export class ModelFailed extends Error {}
