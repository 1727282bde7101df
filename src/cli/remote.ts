/** Calls the HTTP API of a running service with an API key. The same checks apply as for any other caller. */
import { withoutEnd } from '../shared/text/text.ts';
import type { Arguments } from './arguments.ts';

const DEFAULT_URL = 'http://127.0.0.1:3000';

export type Remote = {
  /** Requests a path under the business. Throws unless the response is successful. */
  fetch(path: string, query: Record<string, string | undefined>, init?: RequestInit): Promise<Response>;
};

export function connect({ value }: Arguments, env = process.env): Remote {
  const base = value('url') ?? env.SOUK ?? DEFAULT_URL;
  const business = value('business') ?? env.BUSINESS;
  const key = value('key') ?? env.KEY;
  if (!URL.canParse(base)) throw new Error(`"${base}" is not a URL.`);
  if (!business) throw new Error('Set --business or the environment variable BUSINESS to a business ID.');
  if (!key) throw new Error('Set --key or the environment variable KEY to an API key.');
  return {
    async fetch(path, query, init = {}) {
      const url = new URL(`${withoutEnd(base, '/')}/v1/businesses/${encodeURIComponent(business)}/${path}`);
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
      const response = await fetch(url, { ...init, headers: { ...init.headers, 'x-api-key': key } }).catch((error) => {
        throw new Error(
          `No response from ${url.origin}: ${error.cause?.code ?? error.cause?.message ?? error.message}. Check that Souk is running and that --url is correct.`,
        );
      });
      if (response.ok) return response;
      throw new Error(`${url.origin} responded with ${response.status}: ${await reasonOf(response)}`);
    },
  };
}

async function reasonOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as {
    message?: string;
    details?: { message: string }[];
  } | null;
  const details = body?.details?.map(({ message }) => message) ?? [];
  return details.length > 0 ? details.join(' ') : (body?.message ?? response.statusText);
}
