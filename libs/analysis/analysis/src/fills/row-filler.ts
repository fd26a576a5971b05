import type { Completion, TabularModel } from '@orchard/model';
import { ModelThreads, type Threads } from '../model-threads.js';
import type { computations } from '../computations.js';
import type { RulesOfModel } from '../rules/rules-of-model.js';
import { completionsOf, type CompletionsAsked, type RowsToComplete } from './completions-of.js';
import { postedRows, receivedCompletions, type PostedCompletions } from './posted-rows.js';

const COMPLETE: keyof typeof computations = 'complete';

/** Fills rows in by a model, under rules where there are any: here, or in threads. */
export class RowFiller {
  readonly #threads: ModelThreads;

  /** @param threads null to fill in here */
  constructor(
    readonly model: TabularModel,
    readonly rules: RulesOfModel | null,
    threads: Threads | null = null,
  ) {
    this.#threads = new ModelThreads(threads, rules?.rules.map(({ kept }) => kept) ?? null);
  }

  /** How many pieces are to be filled in at a time. */
  get width(): number {
    return this.#threads.width;
  }

  /** Rows of the next piece at most: of `rowsAtATime`, fewer while it is not known how long they take. */
  get mostRows(): number {
    return this.#threads.mostRows;
  }

  /** Completions of rows, one a draw. */
  async completions(rows: RowsToComplete, asked: CompletionsAsked): Promise<readonly Completion[]> {
    const { model, rules } = this;
    const here = (): readonly Completion[] => completionsOf(model, rules?.ruled ?? null, rows, asked);
    return this.#threads.ask<readonly Completion[]>(rows.matrix.rows, here, async (call) => {
      const input = { rows: postedRows(rows, model, rules !== null), asked };
      return receivedCompletions(await call<PostedCompletions>(COMPLETE, input), model);
    });
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}
