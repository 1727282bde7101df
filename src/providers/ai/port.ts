export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/** A model that answers with JSON of a given JSON schema; what it answers is to be checked all the same. */
export type ChatModel = {
  /** Resolves to the text of the answer; raises `ModelFailed` when there is none. */
  complete(messages: ChatMessage[], schema: object, signal: AbortSignal): Promise<string>;
};

/** The model is away, slow, overloaded or refuses. */
export class ModelFailed extends Error {}
