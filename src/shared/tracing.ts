/**
 * Traces the service's work as spans: request → statement → job → email. Tracing is off unless an endpoint is set. While it is
 * off, each span costs one comparison with null.
 *
 * Names and attributes contain routes, queues and SQL statements, never values, addresses or user input.
 */
type Attributes = Record<string, string | number>;
type SpanKind = 'server' | 'client' | 'producer' | 'consumer';
export type SpanOptions = {
  kind: SpanKind;
  attributes?: Attributes;
  /** The W3C traceparent of a span in another process. Defaults to the active span. */
  traceparent?: string | undefined;
};

export type OpenSpan = {
  /** Spans that `work` starts become children of this span. */
  run<T>(work: () => T): T;
  end(outcome?: { error?: unknown; attributes?: Attributes }): void;
};

export type Tracing = {
  begin(name: string, options: SpanOptions): OpenSpan;
  /** The traceparent of the active span. */
  traceparent(): string | undefined;
  /** Exports the remaining spans. */
  stop(): Promise<void>;
};

/** Null if tracing is off. */
export let tracing: Tracing | null = null;

export function setTracing(created: Tracing | null): void {
  tracing = created;
}

/** Runs `work` in its own span. */
export function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (tracing === null) return work();
  const span = tracing.begin(name, options);
  return span.run(async () => {
    try {
      const result = await work();
      span.end();
      return result;
    } catch (error) {
      span.end({ error });
      throw error;
    }
  });
}
