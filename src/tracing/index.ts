/** OpenTelemetry spans, sent as OTLP over HTTP. Loaded only if an endpoint is configured. */
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { OpenSpan, SpanOptions, Tracing } from '../shared/tracing.ts';

export type TracingSettings = Readonly<{
  /** The base URL of the collector. Spans are sent to `/v1/traces` under it. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** The fraction of traces started here to export, from 0 to 1. */
  ratio: number;
}>;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

export function startTracing({ endpoint, headers, serviceName, ratio }: TracingSettings): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: { ...headers } });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  const tracer = provider.getTracer('souk');

  function begin(name: string, { kind, attributes = {}, traceparent }: SpanOptions): OpenSpan {
    const active = context.active();
    const remote = traceparent === undefined ? null : parseTraceParent(traceparent);
    const parent = remote ? trace.setSpanContext(active, { ...remote, isRemote: true }) : active;
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
    const below = trace.setSpan(parent, span);
    return { run: (work) => context.with(below, work), end: (outcome) => end(span, outcome) };
  }

  return {
    begin,
    traceparent() {
      const active = trace.getSpanContext(context.active());
      if (!active) return undefined;
      return `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`;
    },
    async stop() {
      await provider.shutdown();
      context.disable();
    },
  };
}

/** Records only the type of an error: its message may contain user input. */
function end(span: Span, { error, attributes }: Parameters<OpenSpan['end']>[0] = {}): void {
  if (attributes) span.setAttributes(attributes);
  if (error !== undefined) {
    const { code, name } = error as { code?: unknown; name?: unknown };
    span.setAttribute('error.type', String(code ?? name ?? 'Error'));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
