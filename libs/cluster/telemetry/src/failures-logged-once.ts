import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

/** An exporter that logs a failure once, until it succeeds again: lost traces are worth no more lines of a log. */
export class FailuresLoggedOnce implements SpanExporter {
  #lost = 0;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly place: string,
    private readonly log: Pick<Logger, 'info' | 'warn'>,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans, ({ code, error }) => {
      // 0 is success
      if (code === 0) this.#succeeded();
      else this.#failed(spans.length, error);
      done({ code: 0 });
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  #failed(spans: number, error: Error | undefined): void {
    if (this.#lost === 0) {
      const remedy = 'Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT; nothing else depends on it.';
      const fields = { endpoint: this.place, error: error?.message ?? 'no answer', remedy };
      this.log.warn(fields, 'traces cannot be written and are lost until they can; this is said once');
    }
    this.#lost += spans;
  }

  #succeeded(): void {
    if (this.#lost > 0) this.log.info({ endpoint: this.place, lost: this.#lost }, 'traces are written again');
    this.#lost = 0;
  }
}
