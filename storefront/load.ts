/** Loads data when a page appears or its inputs change, and retries while the server can't be reached. */
import { signal } from '@preact/signals';
import { isSoukError, type Page } from '@souk/client';
import { useCallback, useEffect, useState } from 'preact/hooks';

const RETRY_MS = 2500;

/** The server can't be reached. */
export const isUnreachable = signal(false);

const meansUnreachable = (error: unknown) => isSoukError(error, 'NETWORK', 'TIMEOUT', 'UNAVAILABLE');

export type Loaded<T> = { data: T | undefined; error: unknown; isLoading: boolean; reload: () => void };

/** Keeps the previous data while it reloads, and if the reload fails. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: unknown[], initial?: T): Loaded<T> {
  const [state, setState] = useState<{ data?: T | undefined; error?: unknown; isLoading: boolean }>({
    data: initial,
    isLoading: true,
  });
  const [count, setCount] = useState(0);
  const reload = useCallback(() => setCount((before) => before + 1), []);

  useEffect(() => {
    const controller = new AbortController();
    setState((previous) => ({ ...previous, isLoading: true }));
    load(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return;
        isUnreachable.value = false;
        setState({ data, isLoading: false });
      },
      (error) => {
        if (controller.signal.aborted) return;
        isUnreachable.value = meansUnreachable(error);
        setState((previous) => ({ data: previous.data, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [...inputs, count]);

  useEffect(() => {
    if (!meansUnreachable(state.error)) return;
    const timer = setTimeout(reload, RETRY_MS);
    return () => clearTimeout(timer);
  }, [state.error]);

  return { data: state.data, error: state.error, isLoading: state.isLoading, reload };
}

/** A list that loads more on request. */
export function useList<T>(
  load: (signal: AbortSignal, cursor: string | null) => Promise<Page<T>>,
  inputs: unknown[],
): Loaded<T[]> & { more: (() => void) | null } {
  const [cursor, setCursor] = useState<string | null>(null);
  const [more, setMore] = useState<T[]>([]);
  const { data, error, isLoading, reload } = useLoad(async (signal) => {
    const page = await load(signal, null);
    if (!signal.aborted) {
      setMore([]);
      setCursor(page.cursor);
    }
    return page.items;
  }, inputs);
  const next = useAction(async () => {
    const page = await load(new AbortController().signal, cursor);
    setMore((previous) => [...previous, ...page.items]);
    setCursor(page.cursor);
  });
  return {
    data: data && [...data, ...more],
    error: error ?? next.error,
    isLoading: isLoading || next.isBusy,
    reload,
    more: cursor === null ? null : () => next.run(),
  };
}

/** An action that a button starts, with its state and error. */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<void>) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  async function run(...args: A): Promise<void> {
    if (state.isBusy) return;
    setState({ isBusy: true });
    try {
      await act(...args);
      isUnreachable.value = false;
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  }
  return { ...state, run };
}
