import type { Table } from '@orchard/contracts';
import { codeCount, codesInOrder, decisionTreeOf, predictorOffsets, sumBitsInOrdering } from '@orchard/dataset';
import {
  LINES_ARRAY,
  ModelError,
  NUMBERS_OF_LINES_ARRAY,
  NumberArray,
  PRODUCTS_OF_LINES_ARRAY,
  readNetworkBody,
  validateEnsemble,
  writeNetworkBody,
  type BodyArrays,
  type Ensemble,
  type ModelBody,
  type ModelHead,
} from '@orchard/model';
import { lineFeatures, type LineFeatures } from './line/line-features.js';
import { lineWeights, sidesOf, type Line } from './line/line.js';
import { MOST_WEIGHT } from './line/on-grid.js';
import { ProductSums, type Pair } from './line/products.js';

/** Of lines, in this order; absent of a model without. */
const LINE_ARRAYS = [
  LINES_ARRAY,
  'lineIntercepts',
  'lineEdges',
  'lineDecisions',
  'lineCoefficients',
  'lineGains',
  'lineJumps',
] as const;

/** Of lines that look at numbers beside their scores, behind those; absent where none does. */
const NUMBER_ARRAYS = [NUMBERS_OF_LINES_ARRAY, 'lineSteps'] as const;

/** Of lines that look at products of these numbers too, behind those; absent where none does. */
const PRODUCT_ARRAYS = [PRODUCTS_OF_LINES_ARRAY, 'lineFactors', 'lineCurvatures'] as const;

interface TableArrays {
  readonly ordering: Uint32Array;
  readonly ensembles: readonly (readonly Ensemble[])[];
  /** By position. */
  readonly lines: readonly (Line | null)[] | null;
}

/**
 * The arrays of a table's model file: as a network's, with an ensemble for each decision of each variable in the
 * ordering, and the lines where there are any.
 */
export function tableArrays({
  ordering,
  ensembles,
  lines,
  table,
}: TableArrays & { readonly table: Table }): BodyArrays {
  const arrays = writeNetworkBody({ ordering, ensembles: ensembles.flat() });
  if (lines === null) return arrays;
  const isPacked = Object.values(arrays).some((array) => array.isPacked);
  const integers = isPacked ? NumberArray.ofPackedIntegers : NumberArray.ofIntegers;
  const floats = isPacked ? NumberArray.ofPackedFloats : NumberArray.ofFloats;
  const used = lines.filter((line) => line !== null);
  // those of the last line begin with those of all others
  const offsets = predictorOffsets(table, ordering);
  const [jumps, steps] = [new Float64Array(offsets.at(-1)!), new Float64Array(offsets.at(-1)!)];
  for (const line of used) {
    jumps.set(line.jumps);
    steps.set(line.steps);
  }
  const haveProducts = used.some(({ pairs }) => pairs.length > 0);
  const haveNumbers = haveProducts || used.some(({ slopes }) => slopes.some((slope) => slope !== 0));
  return {
    ...arrays,
    [LINES_ARRAY]: integers([Uint32Array.from(lines, (line) => (line === null ? 0 : 1))]),
    lineIntercepts: floats([Float64Array.from(used, ({ intercept }) => intercept)]),
    lineEdges: floats(used.map(({ edges }) => edges)),
    lineDecisions: integers(used.map(({ decisions }) => Uint32Array.from(decisions))),
    lineCoefficients: floats(used.map(({ coefficients }) => coefficients)),
    lineGains: floats(used.map(({ gains }) => gains)),
    lineJumps: floats([jumps]),
    ...(haveNumbers && {
      [NUMBERS_OF_LINES_ARRAY]: floats(used.map(({ slopes }) => slopes)),
      lineSteps: floats([steps]),
    }),
    ...(haveProducts && {
      [PRODUCTS_OF_LINES_ARRAY]: integers([Uint32Array.from(used, ({ pairs }) => pairs.length)]),
      lineFactors: integers(used.map(({ pairs }) => Uint32Array.from(pairs.flat()))),
      lineCurvatures: floats(used.map(({ curvatures }) => curvatures)),
    }),
  } satisfies Record<(typeof LINE_ARRAYS)[number] | keyof typeof arrays, NumberArray>;
}

/** @throws ModelError where the arrays contradict the head or each other */
export function readTableBody({ table, dimensions }: ModelHead, body: ModelBody): TableArrays {
  if (table === undefined) throw refusal('no variables', `the variables of ${String(dimensions)} bits`, 'table');
  const { variables } = table;
  const decisions = variables.map((variable) => codeCount(variable) - 1);
  const all = decisions.reduce((sum, count) => sum + count, 0);
  const hasLines = body.has(LINES_ARRAY);
  const lineArrays = [
    ...LINE_ARRAYS,
    ...(body.has(NUMBERS_OF_LINES_ARRAY) ? NUMBER_ARRAYS : []),
    ...(body.has(PRODUCTS_OF_LINES_ARRAY) ? PRODUCT_ARRAYS : []),
  ];
  const { ordering, ensembles } = readNetworkBody(body, variables.length, all, hasLines ? lineArrays : []);
  if (new Set(ordering).size !== variables.length || ordering.some((index) => index >= variables.length))
    throw refusal(`the ordering ${[...ordering].slice(0, 10).join(', ')}`, 'every variable once', 'ordering');
  const predictors = predictorOffsets(table, ordering);
  let first = 0;
  const byPosition = Array.from(ordering, (index, position) => {
    const own = ensembles.slice(first, first + decisions[index]!);
    first += own.length;
    for (const ensemble of own) validateEnsemble(ensemble, predictors[position]!);
    return own;
  });
  return { ordering, ensembles: byPosition, lines: hasLines ? readLines(table, ordering, body) : null };
}

function readLines(table: Table, ordering: Uint32Array, body: ModelBody): (Line | null)[] {
  const variables = Array.from(ordering, (index) => table.variables[index]!);
  const used = body.integers(LINES_ARRAY, variables.length);
  const positions = Uint32Array.from(used.keys()).filter((position) => used[position] !== 0);
  const edgesOf = (position: number): number => {
    const variable = variables[position]!;
    return variable.kind === 'ordered' ? codesInOrder(variable).length - 1 : 0;
  };
  const features = lineFeatures(variables, sumBitsInOrdering(table, ordering));
  const predictors = features.firstBits;
  const sum = (count: (position: number) => number): number =>
    positions.reduce((all, position) => all + count(position), 0);
  const decisionsOf = (position: number): number => codeCount(variables[position]!) - 1;
  const featuresOf = (position: number): number => features.offsets[position]!;
  const intercepts = body.floats('lineIntercepts', positions.length);
  const edges = inPieces(body.floats('lineEdges', sum(edgesOf)));
  const decisions = inPieces(body.integers('lineDecisions', sum(decisionsOf)));
  const coefficients = inPieces(body.floats('lineCoefficients', sum(featuresOf)));
  const places = sum((position) => position);
  const gains = inPieces(body.floats('lineGains', places));
  const bits = predictors[variables.length]!;
  const jumps = body.floats('lineJumps', bits);
  const haveNumbers = body.has(NUMBERS_OF_LINES_ARRAY);
  const slopes = inPieces(haveNumbers ? body.floats(NUMBERS_OF_LINES_ARRAY, places) : new Float64Array(places));
  const steps = haveNumbers ? body.floats('lineSteps', bits) : new Float64Array(bits);
  const haveProducts = body.has(PRODUCTS_OF_LINES_ARRAY);
  const counts = haveProducts ? body.integers(PRODUCTS_OF_LINES_ARRAY, positions.length) : positions.map(() => 0);
  const products = counts.reduce((all, count) => all + count, 0);
  const factors = inPieces(haveProducts ? body.integers('lineFactors', 2 * products) : new Uint32Array(0));
  const curvatures = inPieces(haveProducts ? body.floats('lineCurvatures', products) : new Float64Array(0));
  const lines: (Line | null)[] = variables.map(() => null);
  positions.forEach((position, at) => {
    lines[position] = {
      intercept: intercepts[at]!,
      edges: edges(edgesOf(position)),
      decisions: Uint8Array.from(decisions(decisionsOf(position))),
      coefficients: coefficients(featuresOf(position)),
      gains: gains(position),
      jumps: jumps.subarray(0, predictors[position]!),
      slopes: slopes(position),
      steps: steps.subarray(0, predictors[position]!),
      pairs: inPairs(factors(2 * counts[at]!)),
      curvatures: curvatures(counts[at]!),
    };
    checkPairs(lines[position], variables.slice(0, position), variables[position]!.name);
    checkLine(lines[position], variables[position]!, features);
  });
  return lines;
}

/** Takes one piece after another. */
function inPieces<T extends Float64Array | Uint32Array>(array: T): (count: number) => T {
  let first = 0;
  return (count) => {
    const piece = array.subarray(first, first + count) as T;
    first += count;
    return piece;
  };
}

function inPairs(factors: Uint32Array): Pair[] {
  return Array.from({ length: factors.length / 2 }, (_, at) => [factors[2 * at]!, factors[2 * at + 1]!] as const);
}

/** @throws ModelError for products of something else than numbers before the variable */
function checkPairs({ pairs }: Line, before: Table['variables'], name: string): void {
  const isNumber = (position: number): boolean => before[position]?.kind === 'ordered';
  for (const pair of pairs)
    if (!pair.every(isNumber))
      throw refusal(`a product of positions ${pair.join(' and ')}`, 'numbers before it', `the line of ${name}`);
}

/** @throws ModelError for a line that gives no odds, or other ones in another order of its sums */
export function checkLine(line: Line, variable: Table['variables'][number], features: LineFeatures): void {
  const where = `the line of ${variable.name}`;
  const sides = sidesOf(variable, decisionTreeOf(variable), line.edges);
  const areRising = line.edges.every((edge, at) => Math.abs(edge) <= MOST_EDGE && !(edge <= line.edges[at - 1]!));
  if (!areRising) throw refusal('edges that do not rise', `numbers from -${MOST_EDGE} to ${MOST_EDGE}, rising`, where);
  if (line.decisions.some((own, decision) => own > 1 || (own === 1 && sides[decision] === null)))
    throw refusal('a decision that has no place on it', 'decisions between values', where);
  const weights = lineWeights(line, features);
  const ofProducts = line.pairs.length === 0 ? 0 : new ProductSums(line, features.positionOf).reach;
  const reach = weights.reduce((all, weight) => all + Math.abs(weight), Math.abs(line.intercept) + ofProducts);
  if (!(reach < MOST_WEIGHT)) throw refusal(`weights of ${String(reach)} in all`, `less than ${MOST_WEIGHT}`, where);
  if (!line.gains.every((gain) => gain >= 0 && gain < Infinity))
    throw refusal('a gain that is none', 'gains from 0 on', where);
}

const MOST_EDGE = 256;

function refusal(got: string, expected: string, where: string): ModelError {
  return new ModelError('invalid-network', {
    got,
    expected,
    where,
    remedy: 'Get the file again from where it was made.',
  });
}
