import { availableParallelism } from 'node:os';
import { findDrift, RowScorer, scoredGiven, TargetScorer, scoreFileByRules, type RuledScores } from '@orchard/analysis';
import { readWeights, type BitMatrix, type RawTable, type SecondFile } from '@orchard/dataset';
import {
  explainTableRows,
  moments,
  RowWeights,
  scoreFile,
  scoreTarget,
  type FileScores,
  type FoundOutliers,
  type GivenColumns,
  type TabularModel,
  type TargetScores,
} from '@orchard/model';
import type { EvaluateOptions } from './evaluate.js';
import { evaluateDocument } from './evaluate-document.js';
import { UsageError } from '../../output/errors.js';
import { harmlessLine } from '../../output/harmless.js';
import { StageDisplay } from '../../output/stage-display.js';
import type { Terminal } from '../../output/terminal.js';
import { raiseAlarmsBy, scoresOfHeldOut, showAlarms, type AlarmsFound, type UsualScores } from './alarms.js';
import { findAndList, outliersDocument, showOutliers } from './show-outliers.js';
import { TrainingRowsFinder, warnOfTrainingRows } from '../../run-folder/training-rows.js';
import { rulesFor, saidRules, showRuledScores } from '../../run-folder/rules.js';
import { showMeasured } from './show-evaluation.js';
import { placeOfTarget, showTarget } from './show-target.js';
import { reportNewCells, useRowsOf, useSecondFile } from '../../rows/load-table-rows.js';

export interface EvaluateRowsOptions extends EvaluateOptions {
  /** Whether rows of 0 and 1 are read as those of a table, whose values may be missing. */
  readonly asTable?: boolean;
}

/**
 * Prints how likely rows are, of a table by variable too, and on request the outliers among them.
 *
 * @param path of the model's file
 */
export async function evaluateRows(
  { model, path, bytes }: { readonly model: TabularModel; readonly path: string; readonly bytes: Uint8Array },
  file: string,
  options: EvaluateRowsOptions,
  terminal: Terminal,
): Promise<void> {
  const given = givenOfModel(model, options);
  const said = saidRules(options);
  const target = options.target === undefined ? null : placeOfTarget(model, options.target, said.length > 0);
  const rules = await rulesFor(model, path, options);
  const use = options.asTable === true ? useSecondFile : useRowsOf;
  const { threads = availableParallelism() } = options;
  const display = new StageDisplay(terminal);
  const onProgress = (done: number): void => display.showRows('scoring rows', done);
  const scorer = new RowScorer(model, { bytes, threads, onProgress });
  const predicting = `predicting ${harmlessLine(options.target ?? '')}`;
  const onPredicted = (done: number): void => display.showRows(predicting, done);
  const predictor = new TargetScorer(model, { bytes, threads, onProgress: onPredicted });
  try {
    await use(file, model, options, terminal, evaluateOpened);
  } finally {
    await scorer.close();
    await predictor.close();
  }

  async function evaluateOpened({ table: raw }: SecondFile, opened: RawTable): Promise<void> {
    const { missingMeans: missing = 'value', seed = 0 } = options;
    const withAnomalies = hasScores(options);
    const finder = await TrainingRowsFinder.beside(path);
    const onPart = async (matrix: BitMatrix): Promise<void> => finder?.see(matrix);
    const weights =
      options.rowWeights === undefined ? null : new RowWeights(await readWeights(opened, options.rowWeights));
    const withMeans = raw.bits === undefined || terminal.json;
    const asked = { missing, seed, withAnomalies, withMeans, given, weights, onPart, score: scorer.parts };
    const scores = await scoreFile(model, raw, asked);
    reportNewCells(scores.newCells, terminal);
    const byRules = rules === null ? null : await scoreFileByRules(model, rules, raw, scores.nats, weights);
    const raised =
      options.alarms === undefined ? null : await alarmsBy(path, scores, { ...options, given, scorer }, terminal);
    const { measure } = predictor;
    const predicted =
      target === null ? null : await scoreTarget(model, raw, target, { missing, seed, weights, measure });
    await showScores(scores, { ...options, given, weightsOfRows: weights, byRules, raised, predicted }, terminal);
    warnOfTrainingRows(finder, file, withAnomalies, terminal);
  }
}

type ScoredOptions = EvaluateRowsOptions & {
  readonly given: GivenColumns | null;
  readonly weightsOfRows: RowWeights | null;
  readonly byRules: RuledScores | null;
  readonly raised: AlarmsFound | null;
  readonly predicted: TargetScores | null;
};

/** @throws UsageError where the model does not predict by these columns first, or nothing is asked of scores */
function givenOfModel(
  model: TabularModel,
  { givenColumns: said, ...options }: EvaluateRowsOptions,
): GivenColumns | null {
  if (said === undefined) return null;
  if (!hasScores(options))
    throw new UsageError({
      got: '--given-columns alone',
      expected: 'what is to be done with the scores: --worst, --flag or --per-row',
      where: '--given-columns',
      remedy: 'Add --worst 10.',
    });
  return scoredGiven(model, said, '--given-columns');
}

function hasScores({ worst, flag, perRow, alarms }: EvaluateRowsOptions): boolean {
  return [worst, flag, perRow, alarms].some((asked) => asked !== undefined);
}

/** Alarms among scored rows, by the scores of a file of usual ones, or of those that the model's run held out. */
async function alarmsBy(
  path: string,
  { model, raw, missing, anomalies }: FileScores,
  options: EvaluateRowsOptions & { readonly given: GivenColumns | null; readonly scorer: RowScorer },
  terminal: Terminal,
): Promise<AlarmsFound> {
  const { seed = 0, given, usual: file, scorer } = options;
  const usual = file === undefined ? await scoresOfHeldOut(model, path, { given, seed }) : await scoresOfFile(file);
  return { alarms: raiseAlarmsBy(usual, anomalies!, options), drift: await findDrift(raw, model, seed) };

  function scoresOfFile(usual: string): Promise<UsualScores> {
    return useSecondFile(usual, model, options, terminal, async ({ table }) => {
      const asked = { missing, seed, withAnomalies: true, given, score: scorer.parts };
      const { anomalies: scores } = await scoreFile(model, table, asked);
      return { scores: scores!, usual: 'file' };
    });
  }
}

async function showScores(scores: FileScores, options: ScoredOptions, terminal: Terminal): Promise<void> {
  const { weightsOfRows: weights } = options;
  const { mean, standardError } = moments(scores.nats, weights);
  const measured = showMeasured(
    {
      ...scores,
      rows: scores.nats.length,
      logLikelihood: mean,
      standardError,
      weighed: weights === null ? null : { column: options.rowWeights!, sum: weights.sum },
    },
    terminal,
  );
  const { byRules, raised, predicted } = options;
  if (byRules !== null) showRuledScores(byRules, terminal);
  if (raised !== null) showAlarms(raised, scores.nats.length, terminal);
  if (predicted !== null) showTarget(predicted, terminal);
  const { anomalies } = scores;
  const isListed = [options.worst, options.flag, options.perRow].some((asked) => asked !== undefined);
  const found = anomalies === null || !isListed ? null : await outliersOf(scores, anomalies, options, terminal);
  if (found !== null) showOutliers(found, options, terminal);
  if (found?.flagged && options.perRow === undefined)
    await terminal.data([new TextEncoder().encode(labelsCsv(found.flagged))]);
  terminal.document(
    evaluateDocument(measured, {
      ...outliersDocument(found, options.worst !== undefined),
      ...(byRules !== null && { rules: byRules.rules, followed: byRules.followed }),
      ...raised,
      ...(predicted !== null && { target: predicted }),
    }),
  );
}

/** Explains rows by the one model that scored all of them. */
async function outliersOf(
  { model, raw, missing, nats }: FileScores,
  anomalies: Float64Array,
  options: ScoredOptions,
  terminal: Terminal,
): Promise<FoundOutliers> {
  const rows = { scores: anomalies, logLikelihoods: nats };
  const explain = explainTableRows(raw, { models: [model], modelOf: () => 0, given: options.given }, missing);
  return findAndList(
    rows,
    explain,
    { ...options, count: options.worst ?? 0, model, underRules: options.byRules?.nats ?? null },
    terminal,
  );
}

function labelsCsv(flagged: Uint8Array): string {
  return `row,outlier\n${Array.from(flagged, (label, row) => `${String(row + 1)},${String(label)}`).join('\n')}\n`;
}
