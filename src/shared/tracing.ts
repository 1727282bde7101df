/**
 * What the service tells about its own work as spans: request → statement → job → mail. Nobody listens unless an endpoint for
 * traces is set; until then this is one comparison with null wherever a span would begin.
 *
 * Names and attributes hold routes, queues and SQL texts. Never values, addresses or anything a person has entered.
 */
export type Attributes = Record<string, string | number>;
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';
export type SpanOptions = {
  kind: SpanKind;
  attributes?: Attributes;
  /** Of whoever caused it, as W3C writes it: a span elsewhere. By default the active span. */
  traceparent?: string | undefined;
};

export type OpenSpan = {
  /** What `work` begins, and what it awaits, stands below this span. */
  run<T>(work: () => T): T;
  end(outcome?: { error?: unknown; attributes?: Attributes }): void;
};

export type Tracing = {
  begin(name: string, options: SpanOptions): OpenSpan;
  /** Of the active span. */
  traceparent(): string | undefined;
  /** Sends what has not left yet. */
  stop(): Promise<void>;
};

/** Null: nobody listens. */
export let tracing: Tracing | null = null;

export function setTracing(made: Tracing | null): void {
  tracing = made;
}

/** Runs `work` in a span that ends with it. */
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
