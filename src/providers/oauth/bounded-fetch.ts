const MAX_BYTES = 1_048_576;

/** No response arrived. A `TypeError`, as from `fetch`, because the library rethrows such errors. */
export class Unreachable extends TypeError {}

/** A `fetch` that fails if the response is larger than any legitimate provider response. */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options).catch((error) => {
    throw error instanceof TypeError ? new Unreachable(error.message, { cause: error }) : error;
  });
  if (response.body === null) return response;
  let left = MAX_BYTES;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error('The response is too large'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
