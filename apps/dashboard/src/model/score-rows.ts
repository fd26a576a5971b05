/** One of the cells that make a row unusual. */
export interface Surprising {
  readonly column: string;
  readonly value: unknown;
  readonly probability: number;
  readonly expected: string;
  readonly surprise: number;
}

export interface ScoredRow {
  readonly logLikelihood: number;
  /** Nats beyond what is typical of the columns; null of a model that is too large for it. */
  readonly anomalyScore: number | null;
  readonly surprising: readonly Surprising[];
}

/** A scored row of a file, by its number from 1 on. */
export interface RankedRow extends ScoredRow {
  readonly row: number;
  /** 1 is the most unusual; equally unusual rows have the same. */
  readonly rank: number;
}

/** Rows and values of one question, as the API bounds them. */
const most = { rows: 1000, values: 1_000_000 } as const;

/**
 * Scores rows a piece at a time; a piece that takes too much is asked again in halves.
 *
 * @param isTooMuch whether an error says that fewer rows may do
 * @param onScored called with how many are scored so far
 */
export async function scoreInPieces(
  rows: readonly unknown[],
  columns: number,
  askPiece: (piece: readonly unknown[]) => Promise<readonly ScoredRow[]>,
  isTooMuch: (error: unknown) => boolean,
  onScored: (rows: number) => void,
): Promise<readonly ScoredRow[]> {
  const scored: ScoredRow[] = [];
  let size = Math.max(1, Math.min(most.rows, Math.floor(most.values / columns)));
  while (scored.length < rows.length) {
    try {
      for (const row of await askPiece(rows.slice(scored.length, scored.length + size))) scored.push(row);
      onScored(scored.length);
    } catch (error) {
      if (size === 1 || !isTooMuch(error)) throw placed(error, scored.length);
      size = Math.ceil(Math.min(size, rows.length - scored.length) / 2);
    }
  }
  return scored;
}

/** What is said of a piece counts its rows from its own beginning. */
function placed(error: unknown, before: number): unknown {
  if (before === 0 || !(error instanceof Error)) return error;
  return new Error(`Counted from row ${String(before + 1)} of the file: ${error.message}`, { cause: error });
}

/** The same of a remark, where it names rows. @param before rows of the file before the piece */
export function placedRemark(remark: string, before: number): string {
  return before > 0 && /\brow \d/.test(remark) ? `counted from row ${String(before + 1)}: ${remark}` : remark;
}

/** By how much a row is unusual: its anomaly score, or how unlikely it is where there is none. */
function unusualness({ anomalyScore, logLikelihood }: ScoredRow): number {
  return anomalyScore ?? -logLikelihood;
}

/** The most unusual first; among equals as they came. */
export function ranked(rows: readonly ScoredRow[]): readonly RankedRow[] {
  const sorted = rows.map((own, at) => ({ ...own, row: at + 1 })).sort((a, b) => unusualness(b) - unusualness(a));
  let rank = 0;
  return sorted.map((own, at) => {
    const before = sorted[at - 1];
    if (before === undefined || unusualness(own) !== unusualness(before)) rank = at + 1;
    return { ...own, rank };
  });
}

/** What is saved of a scoring: one line for each row, in the order of the file. */
export function csvOfRanks(rows: readonly RankedRow[]): string {
  const lines = [...rows]
    .sort((a, b) => a.row - b.row)
    .map(({ row, logLikelihood, rank, anomalyScore }) => {
      return `${String(row)},${String(logLikelihood)},${String(rank)},${anomalyScore === null ? '' : String(anomalyScore)}\n`;
    });
  return `row,log_likelihood,rank,anomaly_score\n${lines.join('')}`;
}
