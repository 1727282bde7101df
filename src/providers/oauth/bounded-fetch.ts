const MAX_BYTES = 1_048_576;

/** No answer came. A `TypeError`, as from `fetch`: the library hands those on. */
export class Unreachable extends TypeError {}

/** A `fetch` whose answer fails once it is larger than anything a provider has to say. */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  const answer = await fetch(url, options).catch((error) => {
    throw error instanceof TypeError ? new Unreachable(error.message, { cause: error }) : error;
  });
  if (answer.body === null) return answer;
  let left = MAX_BYTES;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error('The answer is too large.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body.pipeThrough(limit), { status, statusText, headers });
}
