/**
 * Data from the API. `useLoad('order ord_1', (signal) => souk.orders.get('ord_1', { signal }))` shows the cached value and loads a new
 * one, and retries while the server can't be reached. `prefetch` fills the cache before a click; `forget('order')` drops all keys with
 * that prefix. `useAction` is an action that a button starts.
 */
import { signal } from '@preact/signals';
import { isSoukError } from '@souk/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

const RETRY_MS = 2000;
const PREFETCH_FRESH_MS = 5000;

/** The server can't be reached. */
export const isUnreachable = signal(false);
export const isUnreachableError = (error: unknown) =>
  isSoukError(error, 'NETWORK', 'TIMEOUT', 'UNAVAILABLE', 'INVALID_RESPONSE');

/** Checks whether the server is back. */
function pollHealth(): void {
  setTimeout(async () => {
    const response = await fetch('/healthz').catch(() => null);
    if (response?.ok) isUnreachable.value = false;
    else pollHealth();
  }, RETRY_MS);
}

export function noteUnreachable(error: unknown): void {
  if (!isUnreachableError(error) || isUnreachable.peek()) return;
  isUnreachable.value = true;
  pollHealth();
}

type Cached = { data: unknown; at: number };
const cache = new Map<string, Cached>();
const listeners = new Set<(prefix: string) => void>();

export const readCache = <T>(key: string) => cache.get(key)?.data as T | undefined;
export const writeCache = (key: string, data: unknown) => void cache.set(key, { data, at: Date.now() });

/** Drops all keys with this prefix, and reloads those in use. */
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
  /** Shows this value, for example the response to a change. */
  set: (data: T) => void;
};

/** Keeps the previous data while it reloads, and if the reload fails. */
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
        noteUnreachable(error);
        setState({ key, data: shown.current.data, error, isLoading: false });
      },
    );
    return () => controller.abort();
  }, [key, count]);

  useEffect(() => onForget((prefix) => key.startsWith(prefix) && reload()), [key]);
  const isBack = !isUnreachable.value;
  useEffect(() => {
    if (isBack && isUnreachableError(shown.current.error)) reload();
  }, [isBack]);

  const set = (data: T) => {
    writeCache(key, data);
    setState({ key, data, isLoading: false });
    // A pending response may be older than this value, so load again.
    if (request.current) {
      request.current.abort();
      reload();
    }
  };
  return { data: current.data, error: current.error, isLoading: current.isLoading, reload, set };
}

/** An action that a button starts, with its state and error. */
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
      noteUnreachable(error);
      setState({ isBusy: false, error });
      return false;
    } finally {
      busy.current = false;
    }
  }
  return { ...state, run, clear: () => setState({ isBusy: false }) };
}
