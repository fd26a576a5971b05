import type { Table, Variable } from '@orchard/contracts';
import {
  evenlySpaced,
  evenPlaces,
  gridWords,
  isOfMonths,
  logRatesOfOthers,
  meanLogDensities,
  ownLogRates,
  readCodes,
  valueCount,
  valuesOf,
  writeValue,
  type BitMatrix,
} from '@orchard/dataset';
import { allCells, cellsHere, variableNats, type TabularModel, type VariableFigures } from '@orchard/model';
import type { Reported } from '../reported.js';
import { associationFacts } from './association-facts.js';
import { copyFacts } from './copy-facts.js';
import { importanceFacts } from './importance-facts.js';
import { marginalsOf } from './marginal-facts.js';
import { oddRowsOf } from './odd-row-facts.js';
import { scatterFacts } from './scatter-facts.js';
import type { DrawFacts, RowsFacts, TableFacts, VariableFacts } from './table-facts.js';
import { tableWarnings } from './table-warnings.js';

const SEED = 0;
/** Draws that marginals and associations are counted in: fewer of wide tables, whose draws take longer. */
const MOST_DRAWS = 5000;
const FEWEST_DRAWS = 500;
const DRAWN_VALUES = 400_000;
const DRAWS_LISTED = 10;
const COLUMNS_LISTED = 100;
/** Cells of held-out rows whose probabilities are held at a time: 8 bytes each. */
const MOST_CELLS = 8_000_000;
const VALUES_NAMED = 8;

/** A finished model of a table, of any family. */
export interface FinishedTable
  extends Reported, Pick<TableFacts, 'runId' | 'sha256' | 'settings' | 'chosenByValidation'> {
  readonly model: TabularModel;
  readonly variables: readonly VariableFigures[];
}

/** The facts that a table's report is drawn from: a function of the run alone. */
export async function describeTable({
  runId,
  sha256,
  settings,
  title,
  sources = [],
  ...described
}: FinishedTable): Promise<TableFacts> {
  return { runId, sha256, settings, title: title ?? null, sources, ...(await describeRows(described)) };
}

/** What is described of rows of any kind. */
export interface DescribedRows extends Pick<FinishedTable, 'model' | 'splits' | 'chosenByValidation' | 'cells'> {
  /** Figures of each column. @default those of the held-out rows, by the model */
  readonly variables?: readonly VariableFigures[];
  /** Whether it is asked what each column is predicted from: shuffled rows are scored for that. @default true */
  readonly withImportance?: boolean;
}

/** What a model says of the rows that it was made from and held against. */
export async function describeRows({
  model,
  variables: figures,
  splits,
  chosenByValidation,
  withImportance = true,
  cells: ask = cellsHere(model),
}: DescribedRows): Promise<RowsFacts> {
  const { table } = model;
  const { train, valid, test } = splits;
  const heldOut = test ?? valid;
  const count = Math.min(MOST_DRAWS, Math.max(FEWEST_DRAWS, Math.floor(DRAWN_VALUES / table.variables.length)));
  const draws = model.sample(count, SEED);
  const own = table.variables.map(ownLogRates);
  const places = evenPlaces(heldOut.rows, Math.max(1, Math.floor(MOST_CELLS / table.variables.length)));
  const looked = places.length === heldOut.rows ? heldOut : heldOut.selectRows(places);
  const cells = await allCells(ask, looked);
  const split = test === null ? 'valid' : 'test';
  // the likelihood of some models is of whole rows
  const isShared = cells.length === looked.rows * table.variables.length;
  const nats = !isShared
    ? null
    : (figures?.map((own) => own[split]!) ?? variableNats(model, heldOut, looked === heldOut ? cells : undefined));
  const areByMembers = test === null && chosenByValidation?.isByMembers === true;
  const judged = areByMembers ? [train, valid] : [heldOut];
  const variables = variableFacts(model, nats, ownLosses(model, judged, train, own), {
    looked,
    cells: isShared ? cells : null,
    own,
    heldOut,
  });
  // as many rows as draws, so that chance shows as much in both
  const compared = evenlySpaced(train, count);
  const worth = variables.map(({ ownLoss, loss }) => ownLoss - loss);
  const associations = associationFacts(table, compared, draws, worth);
  return {
    chosenByValidation,
    warnings: tableWarnings(table, heldOut, test === null ? 'validation' : 'test'),
    rows: { train: train.rows, valid: valid.rows, test: test?.rows ?? null },
    heldOut: test === null ? 'validation' : 'test',
    variables,
    leftOut: table.leftOut,
    marginals: { draws: count, seed: SEED, shown: marginalsOf(table, draws) },
    associations: {
      ...associations,
      scatters: scatterFacts(table, { train: compared, draws }, associations.strongest),
    },
    family: model.family,
    importance: withImportance
      ? await importanceFacts(model, variables, { rows: heldOut, areTest: test !== null }, ask)
      : null,
    draws: drawFacts(table, draws),
    copies: copyFacts({ train, heldOut, draws }, model.likelihoods, split),
    oddRows: isShared ? oddRowsOf(model, looked, cells, places, heldOut.rows, own) : null,
  };
}

interface Looked {
  readonly looked: BitMatrix;
  /** log P(code | earlier codes) of these rows, element `row * V + variable`; null where there is none. */
  readonly cells: Float64Array | null;
  readonly own: readonly Float64Array[];
  readonly heldOut: BitMatrix;
}

type OwnLosses = Pick<VariableFacts, 'ownLoss' | 'ownCodeLoss'>;

/**
 * What columns cost on their own, of all these rows together. Members are judged on folds of all rows, so that training
 * rows are among them: each is judged by the rates of the others.
 */
function ownLosses(
  { table, offsets }: TabularModel,
  judged: readonly BitMatrix[],
  train: BitMatrix,
  own: readonly Float64Array[],
): readonly OwnLosses[] {
  const densities = judged.map(meanLogDensities);
  const rows = judged.reduce((sum, each) => sum + each.rows, 0);
  return table.variables.map((variable, index) => {
    let [codeNats, densityNats] = [0, 0];
    judged.forEach((each, at) => {
      const rates = each === train ? logRatesOfOthers(variable) : own[index]!;
      for (const code of readCodes(each, offsets[index]!, offsets[index + 1]!)) codeNats += rates[code]!;
      densityNats += densities[at]![index]! * each.rows;
    });
    const ownCodeLoss = -codeNats / rows;
    return { ownCodeLoss, ownLoss: ownCodeLoss - densityNats / rows };
  });
}

function variableFacts(
  { table, ordering, offsets }: TabularModel,
  nats: ArrayLike<number> | null,
  losses: readonly OwnLosses[],
  { looked, cells, own, heldOut }: Looked,
): readonly VariableFacts[] {
  const size = table.variables.length;
  return table.variables.map((variable, index): VariableFacts => {
    const [from, to] = [offsets[index]!, offsets[index + 1]!];
    const rates = own[index]!;
    const gains =
      cells === null
        ? new Float64Array(0)
        : Float64Array.from(readCodes(looked, from, to), (code, row) => cells[row * size + index]! - rates[code]!);
    const { ownLoss, ownCodeLoss } = losses[index]!;
    return {
      name: variable.name,
      kind: variable.kind,
      ...measureOf(variable),
      values: valuesNamed(variable),
      steps: variable.kind === 'ordered' ? gridWords(variable) : null,
      count: valueCount(variable),
      holes: variable.holes,
      position: ordering?.indexOf(index) ?? null,
      // of a model that does not say it nothing is known to be gained
      loss: nats === null ? ownLoss : -nats[index]!,
      ownLoss,
      ownCodeLoss,
      gainError: deviationOf(gains) / Math.sqrt(heldOut.rows),
    };
  });
}

function measureOf(variable: Variable): Pick<VariableFacts, 'measure' | 'unit' | 'scale'> {
  if (variable.kind !== 'ordered') return { measure: 'mass', unit: null, scale: null };
  const { measure, format } = variable;
  const scale = ({ number: 'numbers', date: 'dates', time: 'times', duration: 'durations' } as const)[format.type];
  if (measure === 'mass') return { measure, unit: null, scale };
  if (format.type === 'number') return { measure, unit: `unit of ${variable.name}`, scale };
  const clock = format.type === 'date' ? format.time : format;
  if (format.type === 'date' && isOfMonths(format.written)) return { measure, unit: 'month', scale };
  if (clock === null) return { measure, unit: 'day', scale };
  return { measure, unit: clock.digits === 0 ? 'second' : `10^−${String(clock.digits)} seconds`, scale };
}

function valuesNamed(variable: Variable): readonly string[] {
  if (variable.kind === 'ordered') return variable.range.map((value) => writeValue(value, variable.format));
  if (variable.kind === 'binary') return variable.labels;
  return variable.labels.slice(0, VALUES_NAMED);
}

function drawFacts(table: Table, draws: BitMatrix): DrawFacts {
  const rows = Math.min(DRAWS_LISTED, draws.rows);
  const first = draws.selectRows(Array.from({ length: rows }, (_, row) => row));
  const texts = valuesOf(first, table, SEED).slice(0, COLUMNS_LISTED);
  return {
    seed: SEED,
    columns: table.variables.slice(0, COLUMNS_LISTED).map(({ name }) => name),
    rows: Array.from({ length: rows }, (_, row) => texts.map((column) => column[row]!)),
  };
}

/** Of single numbers from their mean; 0 of fewer than two. */
function deviationOf(numbers: Float64Array): number {
  if (numbers.length < 2) return 0;
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  return Math.sqrt(squares / (numbers.length - 1));
}
