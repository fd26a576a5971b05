import {
  ROOT_CONTEXT,
  SpanKind as Kinds,
  SpanStatusCode,
  trace,
  TraceFlags,
  type HrTime,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { FailuresLoggedOnce } from './failures-logged-once.js';
import type { Span, SpanKind } from './open-span.js';
import type { TelemetryService } from './open-telemetry.js';
import { newSpanId, type SpanIds } from './run-trace.js';
import type { Traces } from './settings.js';

const closeMilliseconds = 2_000;

const kinds: Readonly<Record<SpanKind, Kinds>> = {
  internal: Kinds.INTERNAL,
  server: Kinds.SERVER,
  client: Kinds.CLIENT,
  producer: Kinds.PRODUCER,
  consumer: Kinds.CONSUMER,
};

/** Writes spans that have ended to the collector, by OpenTelemetry's SDK: in batches, in the background. */
export class SpanWriter {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  /** Those of the span that is made next. */
  #next: SpanIds = { trace: '', span: '' };

  constructor(
    { form, place, batches }: Traces,
    { name, instance }: TelemetryService,
    log: Pick<Logger, 'info' | 'warn'>,
  ) {
    // where it writes to, and how, they read from OpenTelemetry's own variables
    const exporter = form === 'json' ? new JsonExporter() : new ProtobufExporter();
    this.#provider = new TracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': name, 'service.instance.id': instance }))
        .merge(detectResources({ detectors: [envDetector] })),
      // what is not to be traced does not come here
      sampler: new AlwaysOnSampler(),
      idGenerator: { generateTraceId: () => this.#next.trace, generateSpanId: () => this.#next.span },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new FailuresLoggedOnce(exporter, place, log),
          scheduledDelayMillis: batches.delay,
          exportTimeoutMillis: batches.timeout,
          maxQueueSize: batches.queue,
          maxExportBatchSize: batches.batch,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('orchard');
  }

  /**
   * @param ids its own
   * @param parent null for the first of a trace
   */
  write(span: Span, ids: SpanIds, parent: SpanIds | null): void {
    this.#next = ids;
    const written = this.#tracer.startSpan(
      span.name,
      {
        kind: kinds[span.kind],
        startTime: timeOf(span.begin),
        attributes: { ...span.attributes },
        links: (span.links ?? []).map((link) => ({ context: contextOf(link) })),
      },
      parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...contextOf(parent), isRemote: true }),
    );
    if (span.failure !== null) written.setStatus({ code: SpanStatusCode.ERROR, message: span.failure });
    written.end(timeOf(span.end));
    for (const part of span.parts) this.write(part, { trace: ids.trace, span: newSpanId() }, ids);
  }

  /** Writes what is left, for two seconds at most: a collector that is away keeps no program from ending. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeMilliseconds);
    });
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}

function contextOf({ trace: traceId, span: spanId }: SpanIds) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}

/** Seconds and nanoseconds: of a plain number the SDK would guess which clock it is of. */
function timeOf(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
