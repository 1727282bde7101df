/** What a page asks the service for: loaded when it appears or its inputs change, and again by itself while the service is away. */
import { signal } from '@preact/signals';
import { isSoukError, type Page } from '@souk/client';
import { useCallback, useEffect, useState } from 'preact/hooks';

const AGAIN_AFTER_MS = 2500;

/** The service does not answer. */
export const isAway = signal(false);

const saysAway = (error: unknown) => isSoukError(error, 'NETWORK', 'TIMEOUT', 'UNAVAILABLE');

export type Loaded<T> = { data: T | undefined; error: unknown; isLoading: boolean; reload: () => void };

/** While it loads anew, and when that fails, the former data stay. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: unknown[], initial?: T): Loaded<T> {
  const [state, setState] = useState<{ data?: T | undefined; error?: unknown; isLoading: boolean }>({
    data: initial,
    isLoading: true,
  });
  const [count, setCount] = useState(0);
  const reload = useCallback(() => setCount((before) => before + 1), []);

  useEffect(() => {
    const controller = new AbortController();
    setState((former) => ({ ...former, isLoading: true }));
    load(controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return;
        isAway.value = false;
        setState({ data, isLoading: false });
      },
      (error) => {
        if (controller.signal.aborted) return;
        isAway.value = saysAway(error);
        setState((former) => ({ data: former.data, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [...inputs, count]);

  useEffect(() => {
    if (!saysAway(state.error)) return;
    const timer = setTimeout(reload, AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state.error]);

  return { data: state.data, error: state.error, isLoading: state.isLoading, reload };
}

/** A list of which people ask for more. */
export function useList<T>(
  load: (signal: AbortSignal, cursor: string | null) => Promise<Page<T>>,
  inputs: unknown[],
): Loaded<T[]> & { more: (() => void) | null } {
  const [cursor, setCursor] = useState<string | null>(null);
  const [rest, setRest] = useState<T[]>([]);
  const { data, error, isLoading, reload } = useLoad(async (signal) => {
    const page = await load(signal, null);
    if (!signal.aborted) {
      setRest([]);
      setCursor(page.cursor);
    }
    return page.items;
  }, inputs);
  const next = useAction(async () => {
    const page = await load(new AbortController().signal, cursor);
    setRest((former) => [...former, ...page.items]);
    setCursor(page.cursor);
  });
  return {
    data: data && [...data, ...rest],
    error: error ?? next.error,
    isLoading: isLoading || next.isBusy,
    reload,
    more: cursor === null ? null : () => next.run(),
  };
}

/** Something a person starts with a button: its state, and what went wrong. */
export function useAction<A extends unknown[]>(act: (...args: A) => Promise<void>) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  async function run(...args: A): Promise<void> {
    if (state.isBusy) return;
    setState({ isBusy: true });
    try {
      await act(...args);
      isAway.value = false;
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  }
  return { ...state, run };
}
