import { traced, tracing } from '../shared/tracing.ts';

/** The trace context of a job, stored in its data. */
const TRACE = 'traceparent';

export function withTraceparent(data: object): object {
  const traceparent = tracing?.traceparent();
  return traceparent === undefined ? data : { ...data, [TRACE]: traceparent };
}

type Traced = { name: string; handle: (data: never, signal: AbortSignal) => Promise<void> };

/** Handles each job as part of the trace that caused it. */
export function withTracing<Queue extends Traced>({ handle, ...queue }: Queue) {
  const { name } = queue;
  return {
    ...queue,
    handle(stored: object, signal: AbortSignal): Promise<void> {
      const { [TRACE]: traceparent, ...data } = stored as Record<string, unknown>;
      if (tracing === null) return handle(data as never, signal);
      const attributes = { 'messaging.destination.name': name, 'messaging.operation.type': 'process' };
      const caused = typeof traceparent === 'string' ? traceparent : undefined;
      return traced(`job ${name}`, { kind: 'consumer', attributes, traceparent: caused }, () =>
        handle(data as never, signal),
      );
    },
  };
}
