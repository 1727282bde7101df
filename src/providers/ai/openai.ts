import { type ChatModel, ModelFailed } from './port.ts';

const MAX_RESPONSE_BYTES = 2_000_000;

type Settings = { baseUrl: string; apiKey: string | null; model: string };
type Completion = { choices?: { message?: { content?: unknown; refusal?: unknown } }[] };

/** Any endpoint compatible with OpenAI's chat completions API, with structured output. */
export function openAiModel({ baseUrl, apiKey, model }: Settings): ChatModel {
  return {
    async complete(messages, schema, signal) {
      const response = await fetch(`${baseUrl}/chat/completions`, {
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
      if (!response.ok) {
        await response.body?.cancel();
        throw new ModelFailed(`The model endpoint responded with ${response.status}.`);
      }
      return contentOf(await readText(response).catch(failed));
    },
  };
}

/** Stops reading at the limit, regardless of the Content-Length. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) throw new ModelFailed('The model response is too large.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function contentOf(text: string): string {
  let completion: Completion;
  try {
    completion = JSON.parse(text);
  } catch {
    throw new ModelFailed('The model endpoint did not respond with JSON.');
  }
  const content = completion?.choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new ModelFailed('The model response has no content.');
  return content;
}

function failed(error: unknown): never {
  if (error instanceof ModelFailed) throw error;
  throw new ModelFailed(`The model endpoint is unreachable: ${(error as Error).message}`, { cause: error });
}
