/** What was read, and is believed for a while: what is stored under a name may be removed and made anew. The oldest go first. */
export class Kept<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly at: number }>();
  readonly #milliseconds: number;
  readonly #most: number;

  constructor({ milliseconds, most }: { readonly milliseconds: number; readonly most: number }) {
    this.#milliseconds = milliseconds;
    this.#most = most;
  }

  get(name: string): Value | undefined {
    const kept = this.#entries.get(name);
    return kept !== undefined && performance.now() - kept.at < this.#milliseconds ? kept.value : undefined;
  }

  set(name: string, value: Value): void {
    this.#entries.delete(name);
    if (this.#entries.size >= this.#most) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(name, { value, at: performance.now() });
  }

  delete(name: string): void {
    this.#entries.delete(name);
  }
}

/** For documents of runs: a bucket may be emptied and filled anew under the same names. */
export const keptDocuments = { milliseconds: 30_000, most: 10_000 } as const;
