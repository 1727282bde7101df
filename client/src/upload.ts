/**
 * The part of XMLHttpRequest used here. Its types are only available in browsers, and the client runs elsewhere too.
 */
type XmlHttpRequest = {
  responseType: string;
  readonly status: number;
  readonly response: Blob;
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: unknown): void;
  abort(): void;
};

/** A `fetch` that reports upload progress, which only XMLHttpRequest supports. */
export const progressFetch =
  (onProgress: (share: number) => void) =>
  (url: string, { method = 'POST', headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest: new () => XmlHttpRequest };
      const call = new XMLHttpRequest();
      call.open(method, url);
      call.responseType = 'blob';
      for (const [name, value] of Object.entries(headers as Record<string, string>)) call.setRequestHeader(name, value);
      call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      call.onload = () => resolve(new Response(call.response, { status: call.status, headers: headersOf(call) }));
      call.onerror = () => reject(new TypeError('The service is unreachable.'));
      call.onabort = () => reject(new DOMException('Aborted', 'AbortError'));
      signal?.addEventListener('abort', () => call.abort(), { once: true });
      call.send(body);
    });

const headersOf = (call: XmlHttpRequest) =>
  call
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
    .map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    });
