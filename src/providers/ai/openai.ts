import { type ChatModel, ModelFailed } from './port.ts';

const MAX_ANSWER_BYTES = 2_000_000;

type Settings = { baseUrl: string; apiKey: string | null; model: string };
type Completion = { choices?: { message?: { content?: unknown; refusal?: unknown } }[] };

/** Any endpoint that speaks the chat completions of OpenAI, with structured output. */
export function openAiModel({ baseUrl, apiKey, model }: Settings): ChatModel {
  return {
    async complete(messages, schema, signal) {
      const answer = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
        body: JSON.stringify({
          model,
          messages,
          response_format: { type: 'json_schema', json_schema: { name: 'blocks', strict: true, schema } },
        }),
        redirect: 'error',
        signal,
      }).catch(failed);
      if (!answer.ok) {
        await answer.body?.cancel();
        throw new ModelFailed(`The model answered ${answer.status}.`);
      }
      return contentOf(await readText(answer).catch(failed));
    },
  };
}

/** Stops reading at the limit, whatever length the server announced. */
async function readText(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new ModelFailed('The answer of the model is too large.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function contentOf(text: string): string {
  let completion: Completion;
  try {
    completion = JSON.parse(text);
  } catch {
    throw new ModelFailed('The endpoint of the model did not answer with JSON.');
  }
  const content = completion?.choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new ModelFailed('The answer of the model has no content.');
  return content;
}

function failed(error: unknown): never {
  if (error instanceof ModelFailed) throw error;
  throw new ModelFailed(`The model cannot be reached: ${(error as Error).message}`, { cause: error });
}
