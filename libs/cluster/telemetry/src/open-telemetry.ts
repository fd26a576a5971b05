import type { Logger } from 'pino';
import { tracesOf, type TelemetrySettings } from './settings.js';
import { untraced, type Telemetry } from './telemetry.js';

export interface TelemetryService {
  /** `orchard-worker`, unless OTEL_SERVICE_NAME says another. */
  readonly name: string;
  /** Tells processes of one service apart. */
  readonly instance: string;
}

/**
 * Traces as the environment asks for them. Where it names no endpoint nothing is loaded.
 *
 * @throws Refusal `invalid-configuration`
 */
export async function openTelemetry(
  settings: TelemetrySettings,
  service: TelemetryService,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<Telemetry> {
  const traces = tracesOf(settings);
  if (traces === null) return untraced;
  const [{ SpanWriter }, { Tracing }] = await Promise.all([import('./span-writer.js'), import('./tracing.js')]);
  log.info({ endpoint: traces.place, share: traces.share, tasks: traces.tasks }, 'traces are written');
  return new Tracing(new SpanWriter(traces, service, log), traces);
}
