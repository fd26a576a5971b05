import type { SpanIds } from './run-trace.js';
import type { Attributes } from './telemetry.js';

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** Something that has a beginning and an end, and parts. */
export interface Span {
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970. */
  readonly begin: number;
  readonly end: number;
  readonly attributes: Attributes;
  /** What went wrong, for people; null where nothing did. */
  readonly failure: string | null;
  readonly parts: readonly Span[];
  /** Spans of other traces that it has to do with. */
  readonly links?: readonly SpanIds[];
}

/** First and last parts that are written one by one; those in between are summed up. */
const firstParts = 8;
const lastParts = 8;

/** A span while it lasts. Its parts are kept until it ends, so that no part is ever written without it. */
export class OpenSpan {
  readonly attributes: Record<string, string | number | boolean> = {};
  readonly #begin = Date.now();
  readonly #clock = performance.now();
  readonly #parts: Span[] = [];
  #more = 0;
  #moreMilliseconds = 0;

  constructor(
    private readonly name: string,
    private readonly kind: SpanKind,
  ) {}

  add(part: Span): void {
    this.#parts.push(part);
    if (this.#parts.length <= firstParts + lastParts) return;
    const [{ begin, end }] = this.#parts.splice(firstParts, 1) as [Span];
    this.#more += 1;
    this.#moreMilliseconds += end - begin;
  }

  /** @param name where only its end knows it */
  ended(failure: string | null, name = this.name): Span {
    const more =
      this.#more === 0
        ? {}
        : { 'orchard.parts.left_out': this.#more, 'orchard.parts.left_out_seconds': this.#moreMilliseconds / 1000 };
    return {
      name,
      kind: this.kind,
      begin: this.#begin,
      // by a clock that cannot be set
      end: this.#begin + performance.now() - this.#clock,
      attributes: { ...this.attributes, ...more },
      failure,
      parts: this.#parts,
    };
  }
}

/** What failed, as its code or kind: a message may hold anything. */
export function failureOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'unexpected';
}
