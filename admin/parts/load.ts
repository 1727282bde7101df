/**
 * What a page asks the service for. `useLoad('order ord_1', (signal) => souk.orders.get('ord_1', { signal }))` shows what the cache
 * has at once and asks anew; while the service is away it goes on trying. `prefetch` fills the cache before somebody clicks;
 * `forget('order')` drops what begins with that. `useAction` is something that a button starts.
 */
import { signal } from '@preact/signals';
import { isSoukError } from '@souk/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

const AGAIN_AFTER_MS = 2000;
const PREFETCH_FRESH_MS = 5000;

/** The service does not answer. */
export const isAway = signal(false);
export const saysAway = (error: unknown) => isSoukError(error, 'NETWORK', 'TIMEOUT', 'UNAVAILABLE', 'BAD_ANSWER');

/** Looks whether it is back. */
function watchForReturn(): void {
  setTimeout(async () => {
    const answer = await fetch('/healthz').catch(() => null);
    if (answer?.ok) isAway.value = false;
    else watchForReturn();
  }, AGAIN_AFTER_MS);
}

export function noteAway(error: unknown): void {
  if (!saysAway(error) || isAway.peek()) return;
  isAway.value = true;
  watchForReturn();
}

type Cached = { data: unknown; at: number };
const cache = new Map<string, Cached>();
const listeners = new Set<(prefix: string) => void>();

export const readCache = <T>(key: string) => cache.get(key)?.data as T | undefined;
export const writeCache = (key: string, data: unknown) => void cache.set(key, { data, at: Date.now() });

/** What begins with this is asked for anew, now where it is shown. */
export function forget(prefix: string): void {
  for (const key of cache.keys()) if (key.startsWith(prefix)) cache.delete(key);
  for (const listener of listeners) listener(prefix);
}
export const forgetAll = () => cache.clear();

export function onForget(listener: (prefix: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function prefetch<T>(key: string, load: (signal: AbortSignal) => Promise<T>): void {
  if (Date.now() - (cache.get(key)?.at ?? 0) < PREFETCH_FRESH_MS) return;
  load(new AbortController().signal).then(
    (data) => writeCache(key, data),
    () => {},
  );
}

export type Loaded<T> = {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
  /** Shows this from now on, for example the answer of a change. */
  set: (data: T) => void;
};

/** While it loads anew, and when that fails, the former data stay. */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T | undefined; error?: unknown; isLoading: boolean }>({
    key,
    data: readCache<T>(key),
    isLoading: true,
  });
  const [count, setCount] = useState(0);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  const current = state.key === key ? state : { key, data: readCache<T>(key), isLoading: true, error: undefined };
  const shown = useRef(current);
  shown.current = current;
  const request = useRef<AbortController | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    request.current = controller;
    setState((before) => ({ ...(before.key === key ? before : current), isLoading: true }));
    load(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return;
        request.current = null;
        writeCache(key, data);
        setState({ key, data, isLoading: false });
      },
      (error) => {
        if (controller.signal.aborted) return;
        request.current = null;
        noteAway(error);
        setState({ key, data: shown.current.data, error, isLoading: false });
      },
    );
    return () => controller.abort();
  }, [key, count]);

  useEffect(() => onForget((prefix) => key.startsWith(prefix) && reload()), [key]);
  const isBack = !isAway.value;
  useEffect(() => {
    if (isBack && saysAway(shown.current.error)) reload();
  }, [isBack]);

  const set = (data: T) => {
    writeCache(key, data);
    setState({ key, data, isLoading: false });
    // What is being read may be older than this: it is read again.
    if (request.current) {
      request.current.abort();
      reload();
    }
  };
  return { data: current.data, error: current.error, isLoading: current.isLoading, reload, set };
}

/** Something a person starts with a button: whether it is under way, and what went wrong. */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<unknown>) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const busy = useRef(false);
  async function run(...args: A): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    setState({ isBusy: true });
    try {
      await act(...args);
      setState({ isBusy: false });
      return true;
    } catch (error) {
      noteAway(error);
      setState({ isBusy: false, error });
      return false;
    } finally {
      busy.current = false;
    }
  }
  return { ...state, run, clear: () => setState({ isBusy: false }) };
}
