import { Refusal } from '@orchard/refusal';
import { z } from 'zod';

const url = z
  .url({ protocol: /^https?$/ })
  .optional()
  .meta({ description: 'an http or https URL' });
const protocol = z.string().optional();
const count = (standard: number): z.ZodType<number> =>
  z.coerce.number().int().min(1).default(standard).meta({ description: 'a whole number from 1 on' });

/**
 * OpenTelemetry's own variables, as far as they are decided on here. The exporter reads the others itself: headers,
 * timeout, compression, certificates, resource attributes.
 */
export const telemetryVariables = {
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_TRACES_SAMPLER: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
  OTEL_BSP_SCHEDULE_DELAY: count(5_000),
  OTEL_BSP_EXPORT_TIMEOUT: count(30_000),
  OTEL_BSP_MAX_QUEUE_SIZE: count(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: count(512),
  /** Attempts of a run that each process writes one by one. */
  ORCHARD_TRACED_TASKS: z.coerce.number().int().min(0).default(200).meta({ description: 'a whole number from 0 on' }),
} as const;

export type TelemetrySettings = z.infer<z.ZodObject<typeof telemetryVariables>>;

/** What is to be written, and in which of the two forms. */
export interface Traces {
  readonly form: 'protobuf' | 'json';
  /** Without the path and query of it, which may hold a secret. */
  readonly place: string;
  /** Of the runs and of requests that belong to none: 0 to 1. */
  readonly share: number;
  readonly tasks: number;
  /** How they are sent, in milliseconds and spans. */
  readonly batches: {
    readonly delay: number;
    readonly timeout: number;
    readonly queue: number;
    readonly batch: number;
  };
}

/**
 * What the environment asks for; null where it asks for nothing.
 *
 * @throws Refusal `invalid-configuration` for what would silently be no traces: an unknown form or sampler
 */
export function tracesOf(settings: TelemetrySettings): Traces | null {
  const endpoint = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null;
  if (settings.OTEL_TRACES_EXPORTER === 'none') return null;
  const share = shareOf(settings);
  if (share === 0) return null;
  const batches = {
    delay: settings.OTEL_BSP_SCHEDULE_DELAY,
    timeout: settings.OTEL_BSP_EXPORT_TIMEOUT,
    queue: settings.OTEL_BSP_MAX_QUEUE_SIZE,
    // a batch larger than the queue would never be full
    batch: Math.min(settings.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, settings.OTEL_BSP_MAX_QUEUE_SIZE),
  };
  const tasks = settings.ORCHARD_TRACED_TASKS;
  return { form: formOf(settings), place: new URL(endpoint).origin, share, tasks, batches };
}

function formOf({
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: own,
  OTEL_EXPORTER_OTLP_PROTOCOL: shared,
}: TelemetrySettings): Traces['form'] {
  const protocol = own ?? shared ?? 'http/protobuf';
  if (protocol === 'http/protobuf') return 'protobuf';
  if (protocol === 'http/json') return 'json';
  throw new Refusal('invalid-configuration', {
    got: `the protocol ${JSON.stringify(protocol)}`,
    expected: 'http/protobuf or http/json',
    where: own === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    remedy: "Set http/protobuf, and the collector's port for HTTP (4318, where 4317 is that for gRPC).",
  });
}

function shareOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: text }: TelemetrySettings): number {
  // whose parent decides: a run has none, and a request has what its caller sent
  const name = (sampler ?? 'always_on').replace(/^parentbased_/, '');
  const share = text === undefined ? 1 : Number(text);
  if (name === 'always_on') return 1;
  if (name === 'always_off') return 0;
  if (name === 'traceidratio' && share >= 0 && share <= 1) return share;
  const isRatio = name === 'traceidratio';
  throw new Refusal('invalid-configuration', {
    got: isRatio ? `the share ${JSON.stringify(text)}` : `the sampler ${JSON.stringify(sampler)}`,
    expected: isRatio ? 'a number from 0 to 1' : 'always_on, always_off or traceidratio, with or without parentbased_',
    where: isRatio ? 'OTEL_TRACES_SAMPLER_ARG' : 'OTEL_TRACES_SAMPLER',
    remedy: 'Correct it, or leave it out: then every run is traced.',
  });
}
