// Models of every family that Python reads, with what they say themselves, as files that pytest holds against what it
// reads.
import {
  addEqualNats,
  Encoder,
  isMass,
  logDensityIn,
  numberOf,
  readCodes,
  unknownValues,
  type BitMatrix,
  valuesOf,
  writeCode,
} from '@orchard/dataset';
import type { ValueGrid, Variable } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { ForestMixture, ForestMixtureModel } from '@orchard/mixture';
import { Forest } from '@orchard/forests';
import { Marginals } from '@orchard/marginals';
import { mixtureOf, TableMixture } from '@orchard/members';
import {
  fillBlanks,
  isExplained,
  scoreTable,
  toValues,
  type DensityModel,
  type ModelHead,
  type TabularModel,
} from '@orchard/model';
import { randomMatrix, randomNetwork } from '@orchard/model/conformance/networks';
import { RandomStream } from '@orchard/numerics';
import { TableModel } from '@orchard/tables';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measured } from '@orchard/dataset/conformance/tables';
import { binary, ordered, randomModel, randomVariables } from '../../libs/families/tables/src/random-table.suite.js';

const seed = 2 ** 40 + 7;
const ROWS = 40;

/** Files of models of rows of bits and of tables, by name. */
export interface TrainedModels {
  readonly bits: Readonly<Record<string, string>>;
  readonly table: Readonly<Record<string, string>>;
}

/** Writes `bits/` and `table/`, one model file and one document each, of invented models and of those that are given. */
export function writeSaid(folder: string, trained: TrainedModels = { bits: {}, table: {} }): void {
  for (const kind of ['bits', 'table']) mkdirSync(join(folder, kind), { recursive: true });
  const write = (kind: string, name: string, model: DensityModel, said: unknown): void => {
    writeFileSync(join(folder, kind, `${name}.msgpack`), model.toBytes());
    writeFileSync(join(folder, kind, `${name}.json`), JSON.stringify(said));
  };
  const opened = (path: string): DensityModel => families.openModel(readFileSync(path));
  for (const [name, model] of Object.entries(bitModels())) write('bits', name, model, saidOfBits(model));
  for (const [name, path] of Object.entries(trained.bits)) {
    const model = opened(path);
    write('bits', name, model, saidOfBits(model));
  }
  for (const [name, model] of Object.entries(tableModels())) write('table', name, model, saidOfTable(model));
  for (const [name, path] of Object.entries(trained.table)) {
    const model = opened(path) as TabularModel;
    write('table', name, model, saidOfTable(model));
  }
}

function bitModels(): Readonly<Record<string, DensityModel>> {
  const names = Array.from({ length: 12 }, (_, column) => `c${String(column)}`);
  const members = [1, 2, 3].map((own) => randomNetwork({ dimensions: 12, trees: 5, leaves: 9, seed: own, names }));
  const { specification, likelihoods } = members[0]!;
  const rates = Float64Array.from(names, (_, column) => (column + 1) / 14);
  const head = { dimensions: 12, names, shape: null, specification, likelihoods };
  const wide = { ...head, dimensions: 1600, names: null };
  return {
    one: randomNetwork({ dimensions: 1, trees: 2, leaves: 4, seed: 1 }),
    named: members[0]!,
    wide: randomNetwork({ dimensions: 70, trees: 6, leaves: 17, seed: 2 }),
    // trees of more leaves than a byte counts, and odds that reach their limits
    deep: randomNetwork({ dimensions: 24, trees: 3, leaves: 300, seed: 3, lopsided: 0.9 }),
    strong: randomNetwork({ dimensions: 16, trees: 9, leaves: 6, seed: 4, strongest: 2 ** 800 }),
    mixture: mixtureOf({ members, weights: Float64Array.of(0.5, 0.375, 0.125), specification, likelihoods }),
    marginals: new Marginals({ dimensions: 12, names, shape: null }, rates, specification, likelihoods),
    // nothing learns components with edges yet, but they are read
    forests: forestMixture(head, [randomParents, () => -1, hubOf]),
    hub: forestMixture(wide, [hubOf]),
  };
}

type ParentOf = (column: number, stream: RandomStream) => number;

/** Any of the columns before it, or none. */
const randomParents: ParentOf = (column, stream) => Math.floor(stream.uniform() * (column + 1)) - 1;
/** Of more than a thousand columns: what those that are known say of it together is so improbable that it is scaled. */
const hubOf: ParentOf = (column) => (column === 3 ? -1 : 3);

function forestMixture(head: Omit<ModelHead, 'family'>, parentsOf: readonly ParentOf[]): ForestMixtureModel {
  const stream = new RandomStream(9, 1);
  const columns = Uint32Array.from({ length: head.dimensions }, (_, column) => column);
  const components = parentsOf.map((parentOf) => {
    const parents = Int32Array.from(columns, (column) => parentOf(column, stream));
    const rates = Float64Array.from({ length: 2 * columns.length }, () => 0.001 + 0.998 * stream.uniform());
    parents.forEach((parent, column) => {
      if (parent < 0) rates[2 * column + 1] = rates[2 * column]!;
    });
    return new Forest(columns, parents, rates);
  });
  const weights = Float64Array.from(
    components,
    (_, k) => (k + 1) / ((components.length * (components.length + 1)) / 2),
  );
  return new ForestMixtureModel(head, new ForestMixture(weights, components));
}

function tableModels(): Readonly<Record<string, TabularModel>> {
  const random = [1, 2, 3, 4].map((own) => randomModel(randomVariables(own, 6), own, { trees: 9 }));
  // of one table, each in an ordering of its own
  const members = [5, 6, 7].map((own) => randomModel(randomVariables(1, 6), own, { trees: 5 }));
  const { specification, likelihoods } = members[0]!;
  const weights = Float64Array.of(0.5, 0.375, 0.125);
  return {
    ...Object.fromEntries(random.map((model, at) => [`random${String(at + 1)}`, model])),
    mixture: new TableMixture({ members, weights, specification, likelihoods }),
    // atoms, pieces, a bound, values that training never had
    measured: randomModel([measured('m0', 3, 2, 1), withOther(binary('m1')), measured('m2', 2, 1), masses()], 9, {
      trees: 9,
    }),
    times: randomModel([...randomVariables(8, 2), ...timesOfDay()], 8, { trees: 9 }),
    equal: withEquality(randomModel([measured('m0', 5, 2, 1), ...randomVariables(3, 2), measured('m1', 3, 0)], 4)),
    sums: randomModel([measured('m0', 5, 2, 1), binary('m1'), measured('m2', 4, 1), measured('m3', 4, 0)], 5, {
      trees: 9,
      sums: [{ total: 'm0', parts: ['m2', 'm3'] }],
    }),
    durations: randomModel([...randomVariables(8, 2), ...timesOfDay().map(asDuration)], 8, { trees: 9 }),
    // some cells of the first hold no value of its grid
    grids: randomModel(
      [
        onGrid(measured('m0', 5, 2, 1), { step: 2, first: 1 }),
        ...timesOfDay().map((each) => onGrid(each, { step: 300, first: 120 })),
      ],
      6,
      { trees: 9 },
    ),
  };
}

/** The first and the last column are one value more often than by chance. */
function withEquality(model: ReturnType<typeof randomModel>): TabularModel {
  const [one, other] = [model.table.variables[0]!.name, model.table.variables.at(-1)!.name];
  return new TableModel({ ...model, table: { ...model.table, equalities: [{ one, other, share: 0.625 }] } });
}

function onGrid(variable: Variable, grid: ValueGrid): Variable {
  return variable.kind === 'ordered' && variable.measure === 'density' ? { ...variable, grid } : variable;
}

function withOther(variable: Variable): Variable {
  return variable.kind === 'binary' ? { ...variable, others: 0 } : variable;
}

/** Of which values between and beyond are not all alike. */
function masses(): Variable {
  const own = ordered('m3', 4, 'mass', 1);
  return own.kind === 'ordered' ? { ...own, beyond: 'geometric' } : own;
}

/** Columns whose outermost cells reach beyond the day. */
function timesOfDay(): Variable[] {
  const minutes = { type: 'time', seconds: false, digits: 0 } as const;
  const hundredths = { type: 'time', seconds: true, digits: 2 } as const;
  const cells = { kind: 'ordered', holes: 3, counts: [2, 2, 3, 2], cuts: [1, 2, 3] } as const;
  const density = { measure: 'density', values: [null, null, null, null] } as const;
  return [
    {
      ...cells,
      ...density,
      name: 'leaves',
      format: minutes,
      edges: [3570, 30_030, 84_990],
      tails: [3e3, 2e3],
      range: [0, 86_340],
    },
    {
      ...cells,
      ...density,
      name: 'lands',
      format: hundredths,
      edges: [1000.5, 4e6, 8_630_000.5],
      tails: [2e3, 2e4],
      range: [0, 8_639_999],
    },
    {
      ...cells,
      name: 'called',
      format: minutes,
      measure: 'mass',
      values: [0, 60, 43_200, 86_340],
      edges: [30, 21_630, 64_770],
      tails: null,
      range: [0, 86_340],
    },
  ];
}

/** As durations, of which some are shorter than none. */
function asDuration(variable: Variable): Variable {
  return variable.kind === 'ordered' ? { ...variable, format: { type: 'duration', digits: 1 } } : variable;
}

function saidOfBits(model: DensityModel) {
  const { dimensions } = model;
  const rows = randomMatrix(ROWS, dimensions, 5);
  const known = randomMatrix(ROWS, dimensions, 6, 0.6);
  const samples = 32;
  const completion = model.complete(rows, known, { seed, samples });
  return {
    seed,
    samples,
    rows: linesOf(rows),
    known: linesOf(known),
    logLikelihood: [...model.logLikelihood(rows)],
    sample: linesOf(model.sample(150, seed)),
    completed: linesOf(completion.matrix),
    ...figuresOf(completion),
    importance: importanceOf(model),
  };
}

/** Null where a family does not say. */
function importanceOf(model: DensityModel): number[][] | null {
  const columns = Array.from({ length: model.dimensions }, (_, column) => column);
  return isExplained(model) ? columns.map((column) => [...model.importanceOf(column)]) : null;
}

function saidOfTable(model: TabularModel) {
  const { variables, columns } = model.table;
  const count = 2 * ROWS;
  const matrix = model.sample(count, seed);
  const texts = valuesOf(matrix, model.table, seed);
  /** What the numbers of rows' cells add to the probabilities of their codes, and what of them is known. */
  const densitiesOf = (cells: readonly (readonly (string | null)[])[]) => {
    const values = unknownValues(model.table, count);
    const nats = new Float64Array(count * variables.length);
    variables.forEach((variable, index) => {
      if (variable.kind !== 'ordered') return;
      cells[index]!.forEach((text, row) => {
        if (text === null) return;
        const value = numberOf(text, variable.format);
        nats[row * variables.length + index] = logDensityIn(variable, model.codeOf(matrix, row, index), value);
        if (values.has(index)) values.get(index)![row] = value;
      });
    });
    addEqualNats(model.table, matrix, values, nats);
    const ofRow = (row: number): number =>
      nats.subarray(row * variables.length, (row + 1) * variables.length).reduce((sum, own) => sum + own, 0);
    return { values, nats, ofRow };
  };
  const stream = new RandomStream(seed, 1);
  const known = model.emptyRows(count);
  const gaps = texts.map((column, index) =>
    column.map((text, row) => {
      if (text === null || stream.uniform() < 0.3) return null;
      for (let bit = model.offsets[index]!; bit < model.offsets[index + 1]!; bit++) known.set(row, bit, 1);
      return text;
    }),
  );
  const samples = 64;
  const completion = fillBlanks(model, matrix, known, { seed, samples, draws: 1 })[0]!;
  const ofGaps = densitiesOf(gaps);
  const filled = valuesOf(completion.matrix, model.table, seed, new Map(), ofGaps.values);
  const byName = (columnsOf: readonly (readonly (string | null)[])[]) =>
    Object.fromEntries(
      columns.flatMap((name) => {
        const index = variables.findIndex((variable) => variable.name === name);
        return index < 0 ? [] : [[name, columnsOf[index]]];
      }),
    );
  const { logEvidence, ...figures } = figuresOf(completion);
  const ofTexts = densitiesOf(texts);
  return {
    seed,
    count,
    samples,
    sample: byName(texts),
    logLikelihood: [...scoreTable(model, { matrix, known: null, logDensity: ofTexts.nats }, { seed }).nats],
    gaps: byName(gaps),
    completed: byName(gaps.map((column, index) => column.map((text, row) => text ?? filled[index]![row]!))),
    ...figures,
    logEvidence: logEvidence.map((nats, row) => nats + ofGaps.ofRow(row)),
    unseen: unseenOf(model, matrix, texts, (cells) => densitiesOf(cells).nats),
    importance: variables.map((_, index) => [...model.importanceOf(index)]),
  };
}

/**
 * The rows with numbers that training never had in a column of masses, and how likely they are; null of a table without
 * such a column.
 */
function unseenOf(
  model: TabularModel,
  matrix: BitMatrix,
  texts: readonly (readonly (string | null)[])[],
  densitiesOf: (cells: readonly (readonly (string | null)[])[]) => Float64Array,
) {
  const { variables } = model.table;
  const index = variables.findIndex(
    (variable) => isMass(variable) && variable.format.type === 'number' && variable.format.written === undefined,
  );
  if (index < 0) return null;
  const encoder = new Encoder(variables[index]!);
  const cells = texts[index]!.map((text, row) => (text === null ? null : String(Number(text) + (row % 7) / 4 - 0.75)));
  const rows = model.emptyRows(matrix.rows);
  const logDensity = densitiesOf(texts.map((column, at) => (at === index ? column.map(() => null) : column)));
  variables.forEach((variable, at) => {
    const [from, to] = [model.offsets[at]!, model.offsets[at + 1]!];
    readCodes(matrix, from, to).forEach((code, row) => {
      const cell = at === index ? cells[row]! : null;
      const value = cell === null ? NaN : encoder.value(cell);
      const own = cell === null ? code : encoder.code(cell, value)!;
      writeCode(rows, row, from, to, own);
      if (cell !== null) logDensity[row * variables.length + at] = logDensityIn(variable, own, value);
    });
  });
  return {
    column: variables[index]!.name,
    cells,
    logLikelihood: [...scoreTable(model, { matrix: rows, known: null, logDensity }, { seed }).nats],
  };
}

function figuresOf(completion: ReturnType<DensityModel['complete']>) {
  return {
    exact: [...completion.exact],
    logEvidence: [...completion.logEvidence],
    logEvidenceError: [...completion.logEvidenceError],
    effectiveSampleSize: [...completion.effectiveSampleSize],
  };
}

function linesOf(matrix: BitMatrix): number[][] {
  const values = toValues(matrix);
  const { rows, dimensions } = matrix;
  return Array.from({ length: rows }, (_, row) => [...values.subarray(row * dimensions, (row + 1) * dimensions)]);
}
