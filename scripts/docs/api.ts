import { code, groupBy, table } from './markdown.ts';
import { type Operation, operations } from './openapi.ts';

const ACCESS: Record<string, string> = { public: 'anyone', token: 'any token' };
const accessOf = ({ 'x-access': access }: Operation) => ACCESS[access] ?? code(access);

export function apiPage(): string {
  const tags = groupBy(operations, ({ tags: [tag] }) => tag!).map(([tag, found]) => {
    const rows = found.map((operation) => [
      code(`${operation.method} ${operation.path}`),
      operation.summary,
      accessOf(operation),
    ]);
    return `## ${tag}\n\n${table(['Operation', 'Description', 'Access'], rows)}`;
  });
  return `# API

Every running service has an interactive reference at \`/reference\`, where you can try each operation, and an OpenAPI 3.1 document at
\`/openapi.json\`. The document for this version is <a href="/openapi.json">openapi.json</a>. [API basics](../extend/api.md) explains
authentication, pagination, retries and concurrent edits.

The table lists all ${operations.length} operations. *Any token* includes guest tokens. These operations check permissions where needed
and return only what the caller can see. A permission such as \`ORDER_WRITE\` is checked for the business in the URL
([permissions](permissions.md)).

${tags.join('\n\n')}`;
}
