import { Pace, shareOfBatch } from './batches.js';
import { isSmall, shortSeconds } from './run-size.js';

/** How long the tasks of a run take, by kind: as they took, or a guess until the first is done. */
export class Paces {
  readonly #paces = new Map<string, Pace>();
  readonly #guesses = new Map<string, number>();

  /** Seconds of a task of a kind; null where none was done yet. */
  of(kind: string): number | null {
    return this.#paces.get(kind)?.seconds ?? null;
  }

  guess(kind: string, seconds: number): void {
    this.#guesses.set(kind, seconds);
  }

  /** @param tasks that took these seconds together */
  tell(kind: string, seconds: number, tasks: number): void {
    const pace = this.#paces.get(kind) ?? new Pace();
    this.#paces.set(kind, pace);
    pace.tell(seconds, tasks);
  }

  /** What a job counts in the queue, where one of a short task counts 1 and a batch so much. */
  weightOf(kind: string, { isBatch, weight }: { readonly isBatch: boolean; readonly weight: number }): number {
    return isBatch ? weight : 1 + (weight - 1) * shareOfBatch(this.#expected(kind));
  }

  /** Whether tasks of a kind are soon done, as far as can be known; by the run's size where nothing else is. */
  isShort(kind: string, size: number): boolean {
    const seconds = this.#expected(kind);
    return seconds === null ? isSmall(size) : seconds <= shortSeconds;
  }

  #expected(kind: string): number | null {
    return this.of(kind) ?? this.#guesses.get(kind) ?? null;
  }
}
