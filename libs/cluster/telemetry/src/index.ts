export { openTelemetry, type TelemetryService } from './open-telemetry.js';
export { traceIdOf } from './run-trace.js';
export { telemetryVariables, type TelemetrySettings } from './settings.js';
export { untraced, type Attempt, type RequestSpan, type Telemetry } from './telemetry.js';
