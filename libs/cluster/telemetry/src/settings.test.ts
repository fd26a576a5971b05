import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { telemetryVariables, tracesOf } from './settings.js';

const traces = (environment: Record<string, string>): ReturnType<typeof tracesOf> =>
  tracesOf(z.object(telemetryVariables).parse(environment));
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/team?key=secret' };

describe('what the environment asks to be traced', () => {
  test('is nothing without an endpoint, and where OpenTelemetry is switched off', () => {
    expect(traces({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
    expect(traces({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(traces({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
    expect(traces({ ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_always_off' })).toBeNull();
  });

  test('is everything, as protobuf, where nothing else is said; the log learns no secret', () => {
    expect(traces(endpoint)).toMatchObject({ form: 'protobuf', place: 'http://collector:4318', share: 1, tasks: 200 });
    const json = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other:1',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    };
    expect(traces({ ...json, ORCHARD_TRACED_TASKS: '7' })).toMatchObject({
      form: 'json',
      place: 'http://other:1',
      tasks: 7,
    });
  });

  test('is a share of the runs by its sampler', () => {
    const ratio = { ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(traces(ratio)).toMatchObject({ share: 0.25 });
  });

  test('is refused where it would silently be nothing', () => {
    expect(() => traces({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(/http\/protobuf.*4318/s);
    expect(() => traces({ ...endpoint, OTEL_TRACES_SAMPLER: 'jaeger_remote' })).toThrow(/OTEL_TRACES_SAMPLER/);
    const wrong = { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '25%' };
    expect(() => traces(wrong)).toThrow(/a number from 0 to 1/);
  });
});
