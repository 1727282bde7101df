/**
 * Derives the operation ID from the method and path: `listProducts`, `createProduct`, `getProduct`, `updateProduct`,
 * `deleteProduct`, `refundOrder`, `setOrderStatus`, `getEntryPreview`. A route can set a better one in its schema.
 */
export function operationId(method: string, url: string): string {
  const parts = url
    .replace(/^\/(v1\/)?(payments\/(?!webhooks))?(businesses\/:businessId\/(?=.))?/, '')
    .split('/')
    .filter((part) => part !== '');
  const last = parts.at(-1)!;
  const before = parts.slice(0, -1).findLast((part) => !part.startsWith(':'));
  const verb = VERBS[method] ?? method.toLowerCase();
  if (last.startsWith(':')) return verb + pascal(singular(before ?? ''));
  if (isPlural(last)) return method === 'GET' ? `list${pascal(last)}` : verb + pascal(singular(last));
  if (before === undefined) return method === 'GET' ? verb + pascal(last) : camel(last);
  const noun = pascal(singular(before));
  if (!parts.at(-2)!.startsWith(':')) return method === 'GET' ? verb + pascal(last) : camel(last);
  if (method === 'POST') return camel(last) + noun;
  return `${method === 'PUT' ? 'set' : verb}${noun}${pascal(last)}`;
}

const VERBS: Record<string, string> = { GET: 'get', POST: 'create', PUT: 'update', DELETE: 'delete' };

const isPlural = (word: string) => /s$/.test(word) && !/(status|address|ss)$/.test(word);

function singular(word: string): string {
  if (!isPlural(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/s$/, (s, at: number) => (word[at - 1] === 's' ? s : ''));
}

const camel = (words: string) =>
  words.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_match, letter: string) => letter.toUpperCase());

const pascal = (words: string) => camel(words).replace(/^./, (letter) => letter.toUpperCase());
