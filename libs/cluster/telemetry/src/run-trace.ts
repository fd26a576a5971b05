import { createHash, randomBytes } from 'node:crypto';

/** Which span, of which trace. */
export interface SpanIds {
  /** 32 hex digits. */
  readonly trace: string;
  /** 16 hex digits. */
  readonly span: string;
}

/**
 * The trace of a run. Every process finds it from the run's id alone, so it holds through whatever happens to queue,
 * workers and coordinators, and needs no word in marks or jobs: the id of a run gives its trace.
 */
export function traceIdOf(run: string): string {
  return digestOf('trace', run).slice(0, 32);
}

/** The span that all others of a run descend from: the request that began it. */
export function rootOf(run: string): SpanIds {
  return { trace: traceIdOf(run), span: digestOf('root', run).slice(0, 16) };
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** Whether a trace is among this share of all: every process says the same. As OpenTelemetry's TraceIdRatioBased. */
export function isAmong(trace: string, share: number): boolean {
  let accumulated = 0;
  for (let at = 0; at < 32; at += 8) accumulated = (accumulated ^ Number.parseInt(trace.slice(at, at + 8), 16)) >>> 0;
  return share >= 1 || accumulated < share * 0xffffffff;
}

/** The caller's span by W3C's `traceparent`, and whether it is traced; null for what is none. */
export function callerOf(traceparent: string | undefined): (SpanIds & { readonly isTraced: boolean }) | null {
  const [, version, trace, span, flags] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(traceparent ?? '') ?? [];
  if (version === undefined || version === 'ff' || /^0+$/.test(trace!) || /^0+$/.test(span!)) return null;
  return { trace: trace!, span: span!, isTraced: (Number.parseInt(flags!, 16) & 1) === 1 };
}

function digestOf(what: string, run: string): string {
  return createHash('sha256').update(`orchard ${what} ${run}`).digest('hex');
}
