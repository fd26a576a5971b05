import {
  measureTarget,
  piecesOfTarget,
  type MeasuredRows,
  type MeasureTarget,
  type TabularModel,
  type TargetAsked,
  type TargetRows,
} from '@orchard/model';
import { ahead } from '@orchard/pipeline';
import type { computations } from '../computations.js';
import { ModelThreads, type Threads } from '../model-threads.js';
import { postedTarget, type PostedTarget } from './posted-scores.js';

const TARGET: keyof typeof computations = 'target';

/** Code is compiled in the first piece; the second shows how long the rest takes. Pieces are all of one size. */
const PIECES = { first: [Infinity, Infinity] };

/**
 * Measures how well a model predicts a column of rows: here, or in threads where that takes long. Pieces are the same
 * wherever they are measured, so that answers are too.
 */
export class TargetScorer {
  readonly #threads: ModelThreads;

  constructor(
    private readonly model: TabularModel,
    threads: Threads,
  ) {
    this.#threads = new ModelThreads(threads, null, PIECES);
  }

  readonly measure: MeasureTarget = (parts, asked) => this.#measured(parts, asked);

  async close(): Promise<void> {
    await this.#threads.close();
  }

  #measured(parts: AsyncIterable<TargetRows>, asked: TargetAsked): AsyncGenerator<MeasuredRows, void> {
    const { model } = this;
    const threads = this.#threads;
    return ahead(
      pieces(),
      () => threads.width,
      (piece) =>
        threads.ask(
          piece.matrix.rows,
          () => measureTarget(model, piece, asked),
          (call) => call<MeasuredRows>(TARGET, { rows: postedTarget(piece), asked } satisfies PostedQuestion),
        ),
    );

    async function* pieces(): AsyncGenerator<TargetRows, void> {
      for await (const part of parts) {
        threads.expect(part.matrix.rows);
        yield* piecesOfTarget(part);
      }
    }
  }
}

interface PostedQuestion {
  readonly rows: PostedTarget;
  readonly asked: TargetAsked;
}
