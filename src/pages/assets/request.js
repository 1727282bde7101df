/** From what was typed into the form of an operation to the request, and to the same request for curl. */

/** `values`: parameters by place and name, such as `{path: {id}, query: {}, header: {}}`; `body` is text or null. */
export function buildRequest(operation, values, body, token) {
  const path = operation.path.replaceAll(
    /\{([^}]+)\}/g,
    (mark, name) => encodeURIComponent(values.path?.[name] ?? '') || mark,
  );
  const query = new URLSearchParams(Object.entries(values.query ?? {}).filter(([, value]) => value !== ''));
  const headers = Object.fromEntries(Object.entries(values.header ?? {}).filter(([, value]) => value !== ''));
  if (token && operation.access !== 'public') headers.authorization = `Bearer ${token}`;
  if (body !== null && body !== '') headers['content-type'] = 'application/json';
  return {
    method: operation.method,
    url: query.size > 0 ? `${path}?${query}` : path,
    headers,
    body: body === '' ? null : body,
  };
}

export function curlText({ method, url, headers, body }, origin) {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quote(compact(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

function compact(body) {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

/** What came back, ready to be shown. */
export async function send({ method, url, headers, body }) {
  const startedAt = performance.now();
  const answer = await fetch(url, { method, headers, ...(body === null ? {} : { body }), credentials: 'omit' });
  const text = await answer.text();
  const json = answer.headers.get('content-type')?.includes('json') ? parse(text) : undefined;
  return {
    status: answer.status,
    ok: answer.ok,
    milliseconds: Math.round(performance.now() - startedAt),
    headers: [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    text: json === undefined ? text : JSON.stringify(json, null, 2),
    json,
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
