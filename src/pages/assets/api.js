/** Reads an OpenAPI document into the list of its operations. */
const METHODS = ['get', 'post', 'put', 'delete', 'patch'];

export function readOperations(api) {
  const operations = [];
  for (const [path, item] of Object.entries(api.paths ?? {})) {
    for (const method of METHODS) {
      const found = item[method];
      if (!found) continue;
      operations.push({
        id: found.operationId ?? `${method}_${path}`,
        tag: found.tags?.[0] ?? 'Other',
        method: method.toUpperCase(),
        path,
        summary: found.summary ?? `${method.toUpperCase()} ${path}`,
        description: found.description ?? '',
        access: found['x-access'] ?? (found.security?.length === 0 ? 'public' : 'token'),
        parameters: (found.parameters ?? []).map((parameter) => resolve(api, parameter)),
        body: found.requestBody?.content?.['application/json']?.schema,
        responses: Object.entries(found.responses ?? {}).map(([status, response]) =>
          readResponse(api, status, response),
        ),
      });
    }
  }
  return operations;
}

function readResponse(api, status, response) {
  const { description, content } = resolve(api, response);
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  return { status, description, type, schema: media?.schema };
}

/** The thing itself, or what its `$ref` leads to. */
export function resolve(api, thing) {
  let found = thing;
  for (let steps = 0; found?.$ref !== undefined && steps < 20; steps++) {
    found = found.$ref
      .slice(2)
      .split('/')
      .reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], api);
  }
  return found ?? {};
}

export function groupByTag(operations) {
  const groups = new Map();
  for (const operation of operations) {
    const group = groups.get(operation.tag);
    if (group) group.push(operation);
    else groups.set(operation.tag, [operation]);
  }
  return groups;
}

/** Every word of the search must be found somewhere in the operation. */
export function matches(operation, search) {
  const text =
    `${operation.tag} ${operation.method} ${operation.path} ${operation.summary} ${operation.id}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
