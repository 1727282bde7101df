import { useEffect, useState } from 'preact/hooks';

const TYPING_MS = 200;

/**
 * The response for the current input, requested again after each change. Keeps the previous result until the next one,
 * except after an error.
 */
export function useRequested<I, T>(input: I, isReady: boolean, request: (input: I, signal: AbortSignal) => Promise<T>) {
  const [state, setState] = useState<{ result: T | null; error: unknown }>({ result: null, error: undefined });
  const key = JSON.stringify(input);
  useEffect(() => {
    if (!isReady) return setState({ result: null, error: undefined });
    const controller = new AbortController();
    const timer = setTimeout(() => {
      request(input, controller.signal).then(
        (result) => setState({ result, error: undefined }),
        (error) => !controller.signal.aborted && setState({ result: null, error }),
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return state;
}
