import type { Page } from '@souk/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isUnreachable, noteUnreachable, onForget, readCache, writeCache } from '../load.ts';

type Rows<T> = { key: string; items: T[]; cursor: string | null };

/** Loads a list page by page. A new query cancels the previous request; the previous rows are shown until new ones arrive. */
export function useRows<T>(key: string, load: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>) {
  const [rows, setRows] = useState<Rows<T> | undefined>(() => readCache(key));
  const [state, setState] = useState<{ isLoading: boolean; error?: unknown }>({ isLoading: true });
  const [count, setCount] = useState(0);
  const reload = () => setCount((before) => before + 1);
  const request = useRef<AbortController | null>(null);
  const shown = rows?.key === key ? rows : (readCache<Rows<T>>(key) ?? rows);

  function ask(cursor: string | null, previous: T[]): void {
    request.current?.abort();
    const controller = new AbortController();
    request.current = controller;
    setState({ isLoading: true });
    load(cursor, controller.signal).then(
      (page) => {
        if (controller.signal.aborted) return;
        const next = { key, items: [...previous, ...page.items], cursor: page.cursor };
        writeCache(key, next);
        setRows(next);
        setState({ isLoading: false });
        request.current = null;
      },
      (error) => {
        if (controller.signal.aborted) return;
        noteUnreachable(error);
        setState({ isLoading: false, error });
        request.current = null;
      },
    );
  }

  useEffect(() => {
    ask(null, []);
    return () => request.current?.abort();
  }, [key, count]);
  useEffect(() => onForget((prefix) => key.startsWith(prefix) && reload()), [key]);
  const isBack = !isUnreachable.value;
  useEffect(() => {
    if (isBack && state.error) reload();
  }, [isBack]);

  function more(): void {
    if (request.current || !shown?.cursor || shown.key !== key || state.error) return;
    ask(shown.cursor, shown.items);
  }
  return { rows: shown, ...state, reload, more };
}
