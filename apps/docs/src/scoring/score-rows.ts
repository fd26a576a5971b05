import { bitTable, matchColumns, openTextTable, readDataset, type RawTable, type TextFile } from '@orchard/dataset';
import {
  asTabular,
  explainTableRows,
  findOutliers,
  moments,
  perRowLines,
  scoreFile,
  type DensityModel,
  type FoundOutliers,
  type RowScores,
  type TabularModel,
} from '@orchard/model';
import type { RowScore, ScoredRows } from './messages.js';

/** What `orchard evaluate --worst 20 --per-row FILE` asks for, where nothing else is said. */
const asked = { top: 3, count: 20, isListed: true } as const;
const SEED = 0;

/** Rows that were scored: what is shown of them, and the rest on request. */
export class ScoredFile {
  constructor(
    readonly shown: ScoredRows,
    private readonly rows: RowScores,
    private readonly found: FoundOutliers,
  ) {}

  /** Some rows in the order of the file. @param from counted from 0 */
  some(from: number, count: number): RowScore[] {
    const { scores, logLikelihoods } = this.rows;
    return Array.from(scores.subarray(from, from + count), (score, at) => ({
      row: from + at + 1,
      score,
      logLikelihood: logLikelihoods[from + at]!,
    }));
  }

  /** What `--per-row` writes. */
  list(): Blob {
    const pieces: Blob[] = [];
    let lines: string[] = [];
    for (const line of perRowLines({ ...this.rows, ...this.found, top: asked.top })) {
      if (lines.push(line) < LINES_A_PIECE) continue;
      pieces.push(new Blob(lines));
      lines = [];
    }
    return new Blob([...pieces, ...lines], { type: 'text/csv' });
  }
}

/** Lines that are held as text at a time. */
const LINES_A_PIECE = 4096;

/** Scores rows as `orchard evaluate` does. @param onExplain called when all rows have their scores */
export async function scoreRows(network: DensityModel, file: TextFile, onExplain: () => void): Promise<ScoredFile> {
  const model = asTabular(network);
  const raw = await (model.ofBits === undefined ? openTable(file, model) : openBits(model.ofBits, file));
  const scores = await scoreFile(model, raw, { missing: 'value', seed: SEED, withAnomalies: true, withMeans: false });
  onExplain();
  const rows = { scores: scores.anomalies!, logLikelihoods: scores.nats };
  const explain = explainTableRows(raw, { models: [model], modelOf: () => 0 });
  const found = await findOutliers(rows, explain, { ...asked, model });
  const hasDensities = model.table.variables.some((each) => each.kind === 'ordered' && each.measure === 'density');
  const shown = {
    name: file.name,
    rows: rows.scores.length,
    ...moments(rows.logLikelihoods),
    worst: found.outliers,
    explained: found.explained.size,
    densities: hasDensities ? scores.densityMean : null,
    unknown: { rows: scores.incomplete, error: scores.greatestError },
    newCells: scores.newCells,
    notes: raw.notes,
  };
  return new ScoredFile(shown, rows, found);
}

function openTable(file: TextFile, { table }: TabularModel): Promise<RawTable> {
  const learnedNames = table.variables.map(({ name }) => name);
  const elsewhere = 'Save it as CSV, or score it by the command line, which reads it: orchard evaluate.';
  const missing = table.marks === undefined ? undefined : ['', ...table.marks];
  return openTextTable(file, { learnedNames, missing, wordFor: () => null }, elsewhere);
}

async function openBits(model: DensityModel, file: TextFile): Promise<RawTable> {
  const notes: string[] = [];
  const source = { name: file.name, bytes: file.bytes() };
  const read = await readDataset(source, {
    categoriesOf: model.names,
    dimensions: model.dimensions,
    onNote: (note) => notes.push(note),
    wordFor: () => null,
  });
  const expected = { label: 'the model', dimensions: model.dimensions, names: model.names };
  return {
    ...bitTable(
      matchColumns(expected, { label: file.name, matrix: read }, () => null),
      file.name,
    ),
    notes,
  };
}
