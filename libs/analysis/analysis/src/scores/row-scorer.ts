import {
  anomaliesOf,
  incompleteRows,
  joined,
  wantedCells,
  type AskedCells,
  type CellsInTurn,
  type PartsAsked,
  type ScoredRows,
  type ScoredPart,
  type ScoreParts,
  type TabularModel,
} from '@orchard/model';
import { seedBehind } from '@orchard/numerics';
import { ahead } from '@orchard/pipeline';
import type { computations } from '../computations.js';
import { ModelThreads, type Threads } from '../model-threads.js';
import {
  postedCells,
  postedPiece,
  receivedPiece,
  type PieceAsked,
  type PieceOfRows,
  type PieceScores,
  type PostedPiece,
} from './posted-scores.js';
import { scorePiece } from './score-piece.js';

const CELLS: keyof typeof computations = 'cells';
const SCORE: keyof typeof computations = 'score';

/** Rows of a piece: as many as a model of a table takes at a time. */
const PIECE_ROWS = 4096;
/** Cells of a piece, eight bytes each. */
const PIECE_CELLS = 2 ** 20;
/**
 * Two pieces show how long the rest takes: code is compiled in the first, which is small since rows with unknown values
 * take long; the second is large enough for trees to be asked about many rows at a time.
 */
const PIECES = { first: [64, 1024], milliseconds: 1_000 };

/**
 * Asks a model how likely rows are: here, or in threads where that takes long. Each row is scored by itself, and what
 * is added up over rows is added here, in their order: answers are the same bits wherever they are made.
 */
export class RowScorer {
  readonly #threads: ModelThreads;

  /** @param threads null to score here */
  constructor(
    readonly model: TabularModel,
    threads: Threads | null = null,
  ) {
    this.#threads = new ModelThreads(threads, null, PIECES);
  }

  /** What the model says of the cells of rows. */
  readonly cells: CellsInTurn = (asked, rows) => this.#cellsInTurn(asked, rows);

  /** How likely the rows of a file are. */
  readonly parts: ScoreParts = (parts, asked) => this.#scored(parts, asked);

  /** How likely some rows are. */
  async rows(rows: ScoredRows, asked: PartsAsked): Promise<Omit<ScoredPart, 'part'>> {
    for await (const scored of this.#scored([rows], asked)) return scored;
    throw new Error('RowScorer: no answer to one part');
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async *#cellsInTurn(asked: Iterable<AskedCells>, rows: number): AsyncGenerator<Float64Array, void> {
    this.#threads.expect(rows);
    const work = async ({ piece, isLast }: PieceOfCells) => ({ isLast, cells: await this.#cellsOf(piece) });
    let pieces: Float64Array[] = [];
    for await (const { isLast, cells } of ahead(this.#piecesOfAsked(asked), () => this.#threads.width, work)) {
      pieces.push(cells);
      if (!isLast) continue;
      yield joined(pieces);
      pieces = [];
    }
  }

  *#piecesOfAsked(asked: Iterable<AskedCells>): Generator<PieceOfCells, void> {
    for (const { deals, ...how } of asked) {
      const { rows } = deals[0]!;
      let from = 0;
      do {
        const start = from;
        const most = Math.max(1, Math.floor(this.#mostRows(how.of?.length) / deals.length));
        const to = Math.min(rows, start + most);
        const isWhole = start === 0 && to === rows;
        const own = isWhole ? deals : deals.map((matrix) => matrix.sliceRows(start, to));
        yield { piece: { ...how, deals: own }, isLast: to === rows };
        from = to;
      } while (from < rows);
    }
  }

  #cellsOf(piece: AskedCells): Promise<Float64Array> {
    const here = (): Float64Array => wantedCells(this.model, piece);
    const rows = piece.deals[0]!.rows * piece.deals.length;
    return this.#threads.ask(rows, here, (call) => call<Float64Array>(CELLS, postedCells(piece)));
  }

  async *#scored<Rows extends ScoredRows>(
    parts: AsyncIterable<Rows> | Iterable<Rows>,
    asked: PartsAsked,
  ): AsyncGenerator<Omit<ScoredPart, 'part'> & { readonly part: Rows }, void> {
    const work = async (piece: PieceToScore<Rows>) => ({ piece, ...(await this.#scoresOf(piece)) });
    let pieces: PieceScores[] = [];
    for await (const { piece, ...scored } of ahead(this.#piecesOf(parts, asked), () => this.#threads.width, work)) {
      pieces.push(scored);
      const { all, to } = piece;
      if (to < all.matrix.rows) continue;
      const surprises = asked.withAnomalies ? joined(pieces.map((own) => own.surprises!)) : null;
      yield {
        part: all,
        scores: joinedScores(pieces.map(({ scores }) => scores)),
        anomalies: surprises && anomaliesOf(this.model, surprises, asked),
      };
      pieces = [];
    }
  }

  async *#piecesOf<Rows extends ScoredRows>(
    parts: AsyncIterable<Rows> | Iterable<Rows>,
    { seed, given, ...asked }: PartsAsked,
  ): AsyncGenerator<PieceToScore<Rows>, void> {
    let number = 0;
    for await (const all of parts) {
      const { rows } = all.matrix;
      this.#threads.expect(rows);
      const incomplete = incompleteRows(this.model, all);
      const ofPart = { ...asked, seed: seedBehind(seed, number), given: given && [...given] };
      let from = 0;
      do {
        const start = from;
        const to = Math.min(rows, start + this.#mostRows());
        const before = incomplete.filter((row) => row < start).length;
        yield { all, from: start, to, asked: { ...ofPart, incomplete: { before, all: incomplete.length } } };
        from = to;
      } while (from < rows);
      number++;
    }
  }

  #scoresOf<Rows extends ScoredRows>({ asked, ...piece }: PieceToScore<Rows>): Promise<PieceScores> {
    const { model } = this;
    const posted = (): PostedPiece => postedPiece(piece, model.variables, asked.given !== null);
    const { all, from, to } = piece;
    const isWhole = from === 0 && to === all.matrix.rows;
    const here = (): PieceScores => scorePiece(model, isWhole ? all : receivedPiece(posted(), model), asked);
    return this.#threads.ask(to - from, here, (call) => call<PieceScores>(SCORE, { piece: posted(), asked }));
  }

  /** @param columns of which cells are held. @default all */
  #mostRows(columns = this.model.variables): number {
    const ofCells = Math.max(1, Math.floor(PIECE_CELLS / Math.max(1, columns)));
    return Math.min(PIECE_ROWS, ofCells, this.#threads.mostRows);
  }
}

interface PieceOfCells {
  readonly piece: AskedCells;
  /** Whether it is the last one of what was asked. */
  readonly isLast: boolean;
}

interface PieceToScore<Rows extends ScoredRows> extends PieceOfRows<Rows> {
  readonly asked: PieceAsked;
}

function joinedScores(pieces: readonly PieceScores['scores'][]): PieceScores['scores'] {
  const of = (name: 'nats' | 'densityNats' | 'errors' | 'cells'): Float64Array =>
    joined(pieces.map((piece) => piece[name]));
  return {
    nats: of('nats'),
    densityNats: of('densityNats'),
    errors: of('errors'),
    cells: of('cells'),
    incomplete: pieces.reduce((sum, { incomplete }) => sum + incomplete, 0),
  };
}
