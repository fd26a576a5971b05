import type { OrderedVariable, Variable } from '@orchard/contracts';
import { holeCode, meanOfCode, trainingCounts, valueCount } from '@orchard/dataset';
import { exp, gaussianBelow, sumOf } from '@orchard/numerics';

/** The numbers of an ordered variable on a scale on which the training rows have mean 0 and variance 1. */
export interface Measure {
  readonly centre: number;
  readonly scale: number;
  /** Of each code that stands for a number; 0 of others. */
  readonly numbers: Float64Array;
}

/** Of a lower one few digits are left, or none. */
const LEAST_VARIANCE = 1e-300;

export function measureOf(variable: OrderedVariable): Measure {
  const counts = trainingCounts(variable).subarray(0, valueCount(variable));
  const values = Float64Array.from(counts, (_, code) => meanOfCode(variable, code));
  const rows = sumOf(counts);
  const centre = counts.reduce((sum, count, code) => sum + count * values[code]!, 0) / rows;
  const varianceIn = (unit: number): number =>
    counts.reduce((sum, count, code) => sum + count * ((values[code]! - centre) / unit) ** 2, 0) / rows;
  const variance = varianceIn(1);
  // of numbers beyond 1e150, or within 1e-150, squares are no numbers: they count in units of the farthest one
  const isPlain = variance > LEAST_VARIANCE && variance < Infinity;
  const farthest = values.reduce((most, value) => Math.max(most, Math.abs(value - centre)), 0);
  const unit = isPlain || farthest === 0 ? 1 : farthest;
  const deviation = unit === 1 ? Math.sqrt(variance) : unit * Math.sqrt(varianceIn(unit));
  const scale = deviation > 0 ? deviation : 1;
  const numbers = new Float64Array(trainingCounts(variable).length);
  values.forEach((value, code) => {
    numbers[code] = (value - centre) / scale;
  });
  return { centre, scale, numbers };
}

/** Pseudo-rows, shared out evenly among a variable's codes, so that nothing is impossible. */
const ADDED = 2;

/**
 * How the codes of a variable are likely, by outputs that others predict. Codes fall into classes, which a multi-class
 * logistic regression tells apart, of two by one score. A label is a class, a missing value is one, and so are all
 * cells and all atoms of an ordered variable. Among these a code has the probability of a Gaussian about a mean, which
 * is predicted as well: cells between their edges, atoms and values of masses between the middles to their neighbours.
 */
export class CodeLaw {
  /** Of each code; -1 of those that training never had. */
  readonly classOf: Int16Array;
  readonly classes: number;
  /** Scores of classes; behind them stands the mean where there is one. */
  readonly scores: number;
  readonly hasMean: boolean;
  /** Of each code the numbers that it stands for among its class: all where it is alone. */
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #rows: number;
  readonly #shares: Float64Array;

  /** @param measure of an ordered variable */
  constructor(
    readonly variable: Variable,
    readonly measure: Measure | null,
  ) {
    const counts = trainingCounts(variable);
    this.#rows = sumOf(counts);
    this.#from = new Float64Array(counts.length).fill(-Infinity);
    this.#to = new Float64Array(counts.length).fill(Infinity);
    let first = 0;
    const classOf = new Int16Array(counts.length);
    let classes = 0;
    if (variable.kind === 'ordered') {
      const { centre, scale } = measure!;
      const atoms = variable.atoms?.values ?? [];
      const middles = atoms.slice(1).map((value, at) => (value + atoms[at]!) / 2);
      for (const edges of atoms.length === 0 ? [variable.edges] : [variable.edges, middles]) {
        edges.forEach((edge, at) => {
          const measured = (edge - centre) / scale;
          this.#to[first + at] = measured;
          this.#from[first + at + 1] = measured;
        });
        classOf.fill(classes++, first, first + edges.length + 1);
        first += edges.length + 1;
      }
    }
    for (let code = first; code < counts.length; code++) classOf[code] = counts[code]! > 0 ? classes++ : -1;
    this.classOf = classOf;
    this.classes = classes;
    this.scores = classes === 2 ? 1 : classes < 2 ? 0 : classes;
    this.hasMean = this.#to.some((edge) => edge < Infinity);
    this.#shares = new Float64Array(Math.max(1, classes));
  }

  get outputs(): number {
    return this.scores + (this.hasMean ? 1 : 0);
  }

  /** The columns that others are predicted by: of each a number for each code. Classes are ±1. */
  features(): readonly Feature[] {
    const { classes, classOf, measure, variable } = this;
    const indicators = Array.from({ length: classes < 2 ? 0 : classes }, (_, own) => ({
      name: nameOfClass(this, own),
      values: Float64Array.from(classOf, (of) => (of === -1 ? 0 : of === own ? 1 : -1)),
    }));
    const numbers = this.hasMean ? [{ name: variable.name, values: measure!.numbers }] : [];
    // of two classes one is the other turned round
    return [...numbers, ...(classes === 2 ? indicators.slice(1) : indicators)];
  }

  /** What each output is of. */
  outputNames(): readonly string[] {
    const classes = Array.from({ length: this.classes }, (_, own) => nameOfClass(this, own));
    return [...classes.slice(this.classes - this.scores), ...(this.hasMean ? [this.variable.name] : [])];
  }

  /** P(code). @param deviation of the Gaussian */
  probability(outputs: ArrayLike<number>, deviation: number, code: number): number {
    const own = this.classOf[code]!;
    if (own < 0) return this.#spread(0);
    const mean = this.hasMean ? outputs[this.scores]! : 0;
    const above = gaussianBelow((this.#to[code]! - mean) / deviation);
    return this.#spread(
      this.#sharesBy(outputs)[own]! * (above - gaussianBelow((this.#from[code]! - mean) / deviation)),
    );
  }

  /** P(code) of all codes. */
  into(outputs: ArrayLike<number>, deviation: number, probabilities: Float64Array, offset: number): void {
    const shares = this.#sharesBy(outputs);
    const mean = this.hasMean ? outputs[this.scores]! : 0;
    let above = 1;
    for (let code = 0; code < this.classOf.length; code++) {
      const own = this.classOf[code]!;
      const below = this.#from[code] === -Infinity ? 0 : above;
      above = gaussianBelow((this.#to[code]! - mean) / deviation);
      probabilities[offset + code] = this.#spread(own < 0 ? 0 : shares[own]! * (above - below));
    }
  }

  /** P(class) of each. */
  #sharesBy(outputs: ArrayLike<number>): Float64Array {
    const shares = this.#shares;
    if (this.scores === 0) shares[0] = 1;
    else if (this.scores === 1) {
      shares[1] = shareOfOdds(outputs[0]!);
      shares[0] = 1 - shares[1];
    } else {
      for (let own = 0; own < this.scores; own++) shares[own] = outputs[own]!;
      sharesOfScores(shares, 0, this.scores);
    }
    return shares;
  }

  #spread(share: number): number {
    return (this.#rows * share + ADDED / this.classOf.length) / (this.#rows + ADDED);
  }
}

/** A column of the design. */
export interface Feature {
  readonly name: string;
  /** By code of its variable. */
  readonly values: Float64Array;
}

/** P(second class) by its log-odds. */
export function shareOfOdds(logOdds: number): number {
  const odds = exp(-Math.abs(logOdds));
  return (logOdds > 0 ? 1 : odds) / (1 + odds);
}

/** Scores `from` to before `end` become P(class), in proportion to their exponentials. */
export function sharesOfScores(scores: Float64Array, from: number, end: number): void {
  let highest = -Infinity;
  for (let at = from; at < end; at++) highest = Math.max(highest, scores[at]!);
  let sum = 0;
  for (let at = from; at < end; at++) {
    scores[at] = exp(scores[at]! - highest);
    sum += scores[at]!;
  }
  for (let at = from; at < end; at++) scores[at]! /= sum;
}

/** What a class of a variable stands for: a label, "missing", "(other)", heavy values or all other numbers. */
function nameOfClass({ variable, classOf }: CodeLaw, own: number): string {
  const code = classOf.indexOf(own);
  const of = variable.name;
  if (code === holeCode(variable)) return `${of} is missing`;
  if (variable.kind !== 'ordered') return `${of} = ${variable.labels[code] ?? '(other)'}`;
  const atoms = variable.atoms?.values ?? [];
  const heavy = atoms.length === 1 ? String(atoms[0]) : 'a heavy value';
  return code < variable.values.length ? `${of} is a number` : `${of} = ${heavy}`;
}
