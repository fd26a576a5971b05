import type { BitMatrix } from '@orchard/dataset';
import type {
  AskedCells,
  PartsAsked,
  ScoredRows,
  ScoreTableOptions,
  TableScores,
  TabularModel,
  TargetRows,
} from '@orchard/model';

/** Rows of codes, as they are posted to a thread. */
export interface PostedCodes {
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** Cells that are asked for, as they are posted to a thread. */
export type PostedCells = Omit<AskedCells, 'deals'> & { readonly deals: readonly PostedCodes[] };

/** What is asked about a piece. */
export type PieceAsked = Omit<PartsAsked, 'withCells' | 'given'> &
  Omit<ScoreTableOptions, 'incomplete'> & {
    readonly incomplete: NonNullable<ScoreTableOptions['incomplete']>;
    /** Of {@link PartsAsked.given}, as a list. */
    readonly given: readonly number[] | null;
  };

/** Rows of more. */
export interface PieceOfRows<Rows extends ScoredRows = ScoredRows> {
  readonly all: Rows;
  readonly from: number;
  readonly to: number;
}

export interface PostedPiece {
  readonly codes: PostedCodes;
  readonly known: PostedCodes | null;
  readonly logDensity: Float64Array;
  readonly misfits: Int32Array;
  /** Element `row * V + variable`, where scores within groups look at numbers; null where nothing does. */
  readonly numbers: Float64Array | null;
}

/** Rows of which a column is measured. */
export interface PostedTarget {
  readonly codes: PostedCodes;
  readonly known: PostedCodes | null;
  readonly values: Float64Array;
}

/** How likely the rows of a piece are. */
export interface PieceScores {
  readonly scores: Omit<TableScores, 'ofCodes'>;
  /** What anomaly scores are made of; null where they were not asked for. */
  readonly surprises: Float64Array | null;
}

function postedCodes(matrix: BitMatrix): PostedCodes {
  return { rows: matrix.rows, bytes: matrix.bytes.slice() };
}

function receivedCodes({ rows, bytes }: PostedCodes, model: TabularModel): BitMatrix {
  const matrix = model.emptyRows(rows);
  matrix.bytes.set(bytes);
  return matrix;
}

export function postedCells({ deals, ...asked }: AskedCells): PostedCells {
  return { ...asked, deals: deals.map(postedCodes) };
}

export function receivedCells({ deals, ...asked }: PostedCells, model: TabularModel): AskedCells {
  return { ...asked, deals: deals.map((codes) => receivedCodes(codes, model)) };
}

export function postedPiece({ all, from, to }: PieceOfRows, variables: number, withNumbers: boolean): PostedPiece {
  const { known, logDensity, misfits } = all;
  const [first, end] = [from * variables, to * variables];
  return {
    codes: postedCodes(all.matrix.sliceRows(from, to)),
    known: known && postedCodes(known.sliceRows(from, to)),
    logDensity: logDensity.slice(first, end),
    misfits: Int32Array.from(
      [...misfits].filter((at) => at >= first && at < end),
      (at) => at - first,
    ),
    numbers: withNumbers
      ? Float64Array.from(
          { length: end - first },
          (_, at) => all.numberAt?.(from + Math.floor(at / variables), at % variables) ?? NaN,
        )
      : null,
  };
}

export function receivedPiece(
  { codes, known, logDensity, misfits, numbers }: PostedPiece,
  model: TabularModel,
): ScoredRows {
  const rows = {
    matrix: receivedCodes(codes, model),
    known: known && receivedCodes(known, model),
    logDensity,
    misfits: new Set(misfits),
  };
  if (numbers === null) return rows;
  return { ...rows, numberAt: (row, variable) => numbers[row * model.variables + variable]! };
}

export function postedTarget({ matrix, known, values }: TargetRows): PostedTarget {
  return { codes: postedCodes(matrix), known: known && postedCodes(known), values };
}

export function receivedTarget({ codes, known, values }: PostedTarget, model: TabularModel): TargetRows {
  return { matrix: receivedCodes(codes, model), known: known && receivedCodes(known, model), values };
}
