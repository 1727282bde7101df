/**
 * Events of the business while the page is open, from the event stream. `useEvents('order.', (event) => …)` handles each event whose
 * type has that prefix. Reconnects automatically and continues after the last event. A hidden tab gets its events when it is shown
 * again: over HTTP/1.1, a browser opens only six connections to a host for all tabs.
 */
import { useEffect, useRef } from 'preact/hooks';
import { souk } from './session.ts';

type BusinessEvent = { id: string; type: string; entity: string; data: Record<string, unknown> };

const listeners = new Map<(event: BusinessEvent) => void, string>();
const RECONNECT_MS = 2000;

export function useEvents(prefix: string, listener: (event: BusinessEvent) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const call = (event: BusinessEvent) => latest.current(event);
    listeners.set(call, prefix);
    return () => void listeners.delete(call);
  }, [prefix]);
}

const SOON_MS = 1000;

/** Runs once, a second after the first of several calls. */
export function useSoon(run: () => void): () => void {
  const latest = useRef(run);
  latest.current = run;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, SOON_MS);
  };
}

/** Follows the stream until it is aborted. */
export function followEvents(): () => void {
  const client = souk;
  let isOver = false;
  let last: string | undefined;
  let reader: ReadableStreamDefaultReader<string> | undefined;

  async function read(): Promise<void> {
    const response = await client.events.stream(last ? { after: last } : {}, { tries: 1 });
    reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    pause();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done || isOver) return;
      text += value;
      const frames = text.split('\n\n');
      text = frames.pop()!;
      for (const frame of frames) emit(frame);
    }
  }

  function emit(frame: string): void {
    const valuesOf = (field: string) =>
      frame
        .split('\n')
        .filter((line) => line.startsWith(`${field}:`))
        .map((line) => line.slice(field.length + 1).trimStart());
    last = valuesOf('id')[0] ?? last;
    const data = valuesOf('data');
    if (data.length === 0) return;
    const event = JSON.parse(data.join('\n')) as BusinessEvent;
    for (const [listener, prefix] of listeners) if (event.type.startsWith(prefix)) listener(event);
  }

  function pause(): void {
    if (document.hidden) reader?.cancel().catch(() => {});
  }

  document.addEventListener('visibilitychange', pause);
  (async () => {
    while (!isOver) {
      await whenShown();
      const isAllowed = await read().then(
        () => true,
        (error) => error?.status !== 403,
      );
      if (!isAllowed) return;
      if (!document.hidden) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  })();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', pause);
    reader?.cancel().catch(() => {});
  };
}

async function whenShown(): Promise<void> {
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
}
