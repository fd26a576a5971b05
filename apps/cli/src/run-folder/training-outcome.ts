import { mixedSummarySchema, summaryKeys, summarySchema, type ModelSummary } from '@orchard/contracts';
import type { Columns } from '@orchard/dataset';
import { gainInWords, independentLogLikelihood } from '@orchard/model';
import type { Splits } from '@orchard/pipeline';
import { join } from 'node:path';
import { z } from 'zod';
import { bytes, count, counted, duration, nats } from '../output/figures.js';
import type { TrainedModel } from './trained-document.js';
import type { Terminal } from '../output/terminal.js';
import { shellWord } from '@orchard/refusal';
import { ownCommand } from '../output/version.js';

/** Rows that did not train, and what the model gives them. */
interface HeldOut {
  readonly name: string;
  /** Mean nats per row. */
  readonly logLikelihood: number;
  /** Of these rows, under columns that stand alone. */
  readonly alone: number;
  readonly isAtLeast: boolean;
}

/** Prints what everybody wants to know after training, in five lines: `--details` prints all else. */
export function showTrainingOutcome(
  { summary, seconds }: Pick<TrainedModel, 'summary' | 'seconds'>,
  splits: Splits,
  directory: string,
  terminal: Terminal,
  { withReport = true }: { readonly withReport?: boolean } = {},
): void {
  const { train, valid, test } = summary.dataset.rows;
  const all = train + valid + (test ?? 0);
  const tested = test === null ? '' : `, ${count(test)} tested`;
  const model = `${summary.network.path} (${bytes(summary.network.bytes)}), ${duration(seconds.total)}`;
  const held = heldOutOf(summary, splits);
  const lines = [
    `rows     ${count(all)}: ${count(train)} trained, ${count(valid)} validated${tested}`,
    `columns  ${columnsInWords(splits.train.columns)}`,
    `fit      ${held === null ? 'not judged: validation rows trained the model too, and there are no test rows (--test)' : fitInWords(held, splits.train.columns.count)}`,
    withReport ? `report   ${join(directory, 'report.html')}; model ${model}` : `model    ${model}`,
    `next     ${ownCommand} evaluate ${shellWord(directory)} NEW-ROWS --worst 10`,
  ];
  for (const line of lines) terminal.result(line);
}

function fitInWords({ name, logLikelihood, alone, isAtLeast }: HeldOut, columns: number): string {
  const { figure, words } = gainInWords(logLikelihood - alone, columns);
  return (
    `each value of a ${name} row is ${isAtLeast ? 'at least ' : ''}${figure} ${words} by ` +
    `its column alone (${nats(logLikelihood)} nats per row; alone ${nats(alone)})`
  );
}

function columnsInWords({ table, count: columns }: Columns): string {
  if (table === undefined) return `${count(columns)} of 0 and 1`;
  const kinds = (['binary', 'categorical', 'ordered'] as const).flatMap((kind) => {
    const own = table.variables.filter((variable) => variable.kind === kind).length;
    return own === 0 ? [] : [`${count(own)} ${kind}`];
  });
  const leftOut = table.leftOut.length === 0 ? '' : `; ${counted(table.leftOut.length, 'column')} left out`;
  return `${count(columns)}: ${kinds.join(', ')}${leftOut}`;
}

const validSchema = z.looseObject({ likelihoods: z.object({ valid: z.number().nullable() }) });

/**
 * Test rows where there are any; else the rows that validated, by the model that they did not train. Null where all
 * rows trained what there is.
 */
function heldOutOf(summary: ModelSummary, { train, valid, test }: Splits): HeldOut | null {
  const isAtLeast = summary['likelihoodIs'] !== undefined;
  const { testLogLikelihood } = summary.network;
  if (test !== null && testLogLikelihood !== null)
    return { name: 'test', logLikelihood: testLogLikelihood, alone: independentLogLikelihood(train, test), isAtLeast };
  const alone = independentLogLikelihood(train, valid);
  const selected = summarySchema.safeParse(summary);
  if (selected.success) {
    const figures = selected.data.selections[summaryKeys[selected.data.network.selection]]!;
    return { name: 'validation', logLikelihood: figures.validLogLikelihood, alone, isAtLeast };
  }
  const mixed = mixedSummarySchema.safeParse(summary);
  if (mixed.success) {
    // each member has a fold of all rows that did not train it, but chose its rounds; the mixture is likelier than the
    // mean of its members
    const { members } = mixed.data;
    const logLikelihood = members.reduce((sum, { foldLogLikelihood }) => sum + foldLogLikelihood, 0) / members.length;
    const rows = train.rows + valid.rows;
    const ofAll = (independentLogLikelihood(train, train) * train.rows + alone * valid.rows) / rows;
    return { name: 'held-out', logLikelihood, alone: ofAll, isAtLeast };
  }
  const logLikelihood = validSchema.parse(summary).likelihoods.valid;
  return logLikelihood === null ? null : { name: 'validation', logLikelihood, alone, isAtLeast };
}
