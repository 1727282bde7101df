/**
 * What happens in the business while the page is open, read from the service's stream. `useNews('order.', (event) => …)` is called for
 * each event whose type begins with that. It connects again by itself and goes on after the last event it saw.
 */
import { useEffect, useRef } from 'preact/hooks';
import { souk } from './session.ts';

export type News = { id: string; type: string; entity: string; data: Record<string, unknown> };

const listeners = new Map<(event: News) => void, string>();
const PAUSE_MS = 2000;

export function useNews(prefix: string, listener: (event: News) => void): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const call = (event: News) => latest.current(event);
    listeners.set(call, prefix);
    return () => void listeners.delete(call);
  }, [prefix]);
}

/** Follows the stream until it is told to stop. */
export function followNews(): () => void {
  const client = souk;
  let isOver = false;
  let last: string | undefined;
  let reader: ReadableStreamDefaultReader<string> | undefined;

  async function read(): Promise<void> {
    const answer = await client.events.stream(last ? { after: last } : {}, { tries: 1 });
    reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done || isOver) return;
      text += value;
      const frames = text.split('\n\n');
      text = frames.pop()!;
      for (const frame of frames) tell(frame);
    }
  }

  function tell(frame: string): void {
    const data = frame
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trimStart());
    if (data.length === 0) return;
    const event = JSON.parse(data.join('\n')) as News;
    last = event.id;
    for (const [listener, prefix] of listeners) if (event.type.startsWith(prefix)) listener(event);
  }

  (async () => {
    while (!isOver) {
      const isAllowed = await read().then(
        () => true,
        (error) => error?.status !== 403,
      );
      if (!isAllowed) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return () => {
    isOver = true;
    reader?.cancel().catch(() => {});
  };
}
