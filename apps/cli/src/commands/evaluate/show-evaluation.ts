import { columnsIn } from '@orchard/dataset';
import { isBound, type ScoreFigures, type TabularModel } from '@orchard/model';
import type { Evaluation } from '@orchard/registry';
import { evaluateDocument, type Evaluated } from './evaluate-document.js';
import { BITS_PER_NAT, counted, errorInNats, nats as figure, table } from '../../output/figures.js';
import { harmlessLine } from '../../output/harmless.js';
import type { Terminal } from '../../output/terminal.js';
import { weighedBy } from '../../options/row-weights.js';
import { reportNewCells } from '../../rows/load-table-rows.js';

/** What was measured of rows, wherever it was. */
export interface MeasuredRows
  extends
    Pick<Evaluated, 'rows' | 'logLikelihood' | 'standardError' | 'newCells'>,
    Pick<ScoreFigures, 'densityMean' | 'incomplete' | 'greatestError'> {
  readonly model: TabularModel;
  /** Mean nats of each variable, NaN or null of those of which nothing is known. */
  readonly means: ArrayLike<number | null> | null;
  /** How rows were weighed, and the sum of their weights; null where each counts once. */
  readonly weighed: { readonly column: string; readonly sum: number } | null;
}

/** Shows the answer of a cluster as `evaluate` shows its own. */
export function showEvaluation(model: TabularModel, found: Evaluation, terminal: Terminal): void {
  const { rows, logLikelihood, standardError, newCells, remarks } = found;
  for (const remark of remarks) terminal.remark(remark);
  reportNewCells(newCells, terminal);
  const measured: MeasuredRows = {
    model,
    rows,
    logLikelihood,
    standardError,
    newCells,
    densityMean: found.densityLogLikelihood,
    means: found.columns,
    incomplete: found.rowsWithUnknown,
    greatestError: found.greatestError,
    weighed: null,
  };
  terminal.document(evaluateDocument(showMeasured(measured, terminal), {}));
}

/** Prints how likely rows are, of a table by variable too. @returns what the document has of it */
export function showMeasured(measured: MeasuredRows, terminal: Terminal): Evaluated {
  const { model, rows, logLikelihood, standardError, newCells, densityMean, means, incomplete, weighed } = measured;
  const { variables } = model.table;
  const isTable = model.ofBits === undefined;
  terminal.result(isTable ? natsInWords(measured) : natsOfBitsInWords(measured));
  if (incomplete > 0)
    terminal.result(
      `${counted(incomplete, 'row')} with unknown values: integrated out by drawing, with an error of ${errorInNats(measured.greatestError)}; not among the figures by variable`,
    );
  const byVariable =
    means === null
      ? null
      : variables.map((variable, index) => ({
          measure: variable.kind === 'ordered' ? variable.measure : ('mass' as const),
          nats: Number.isNaN(means[index] ?? NaN) ? null : means[index]!,
        }));
  if (byVariable !== null && isTable)
    terminal.result(
      table(
        ['variable', 'nats per row', 'of'],
        byVariable.map(({ measure, nats }, index) => [
          variables[index]!.name,
          nats === null ? '-' : figure(nats),
          measure,
        ]),
      ),
    );
  return {
    rows,
    sumOfWeights: weighed?.sum ?? null,
    logLikelihood,
    standardError,
    likelihoodIs: model.likelihoodIs ?? null,
    densityLogLikelihood: densityMean,
    rowsWithUnknown: incomplete,
    names: columnsIn(model.ofBits ?? model).names,
    count: variables.length,
    columns: byVariable,
    newCells,
  };
}

/** Of a table, with the part of its densities. */
function natsInWords(measured: MeasuredRows): string {
  const { model, rows, logLikelihood, densityMean, weighed } = measured;
  const densities = model.table.variables.filter((each) => each.kind === 'ordered' && each.measure === 'density');
  const how = weighedBy(weighed?.column, weighed?.sum ?? null);
  const parts =
    densities.length === 0
      ? ', all of them masses'
      : `: ${figure(logLikelihood - densityMean)} of masses and ${figure(densityMean)} of the densities of ${densities.map(({ name }) => harmlessLine(name)).join(', ')}, which depend on their units`;
  return `${counted(rows, 'row')}${how}: ${meanInWords(measured)} nats per row${parts}`;
}

/** Of rows of 0 and 1, in bits too. */
function natsOfBitsInWords(measured: MeasuredRows): string {
  const { model, rows, logLikelihood, weighed } = measured;
  const bits = -logLikelihood * BITS_PER_NAT;
  const [least, bound] = isBound(model)
    ? [
        'at least ',
        '; a lower bound: the true likelihood is higher by an unknown amount (1.4 nats on average for 20 templates of 8 columns)',
      ]
    : ['', ''];
  return (
    `${counted(rows, 'row')}${weighedBy(weighed?.column, weighed?.sum ?? null)}: ${least}${meanInWords(measured)} nats per row, ` +
    `${bits.toFixed(3)} bits, ${(bits / model.variables).toFixed(4)} bits per dimension${bound}`
  );
}

function meanInWords({ logLikelihood, standardError }: MeasuredRows): string {
  return `${figure(logLikelihood)}${standardError === null ? '' : ` ± ${figure(standardError)}`}`;
}
