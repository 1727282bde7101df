import { request } from 'node:http';

type Visited = { status: number; headers: Record<string, string>; body: string };
type VisitOptions = { host?: string; method?: string; headers?: Record<string, string>; body?: string };

/** Opens a page as a browser would, under any host name. */
export function visit(url: string, path: string, { host, method = 'GET', headers = {}, body }: VisitOptions = {}) {
  const { hostname, port } = new URL(url);
  return new Promise<Visited>((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, headers: { accept: 'text/html', ...(host && { host }), ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as Record<string, string>,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The structured data of a page, by type. */
export function structuredData(html: string): Record<string, Record<string, never>> {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return Object.fromEntries(blocks.map(([, json]) => JSON.parse(json!)).map((data) => [data['@type'], data]));
}
