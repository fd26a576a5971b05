import { writeCode, type BitMatrix } from '@orchard/dataset';
import type { Blanks, Completion } from '@orchard/model';
import { Purpose, RandomStream } from '@orchard/numerics';
import { filledWeights } from './evidence.js';
import { knownCodes } from './known-codes.js';
import { ParticleWeights } from './particle-weights.js';
import type { TableModel } from './table-model.js';

/** A completion with what the known values are worth. */
export interface TableCompletion extends Completion {
  /** Of each row: log P(known codes), nats: what is unknown is integrated out (and is not absent). */
  readonly logEvidence: Float64Array;
  /** Its standard error: 0 where it is exact. */
  readonly logEvidenceError: Float64Array;
}

/** What is allowed of each variable beyond known codes. */
export interface CompletionOptions {
  readonly seed: number;
  /** Particles a row. */
  readonly samples: number;
  /** Completions that each row is given. */
  readonly draws: number;
  /** How far each code of a variable is allowed where more is known of it than nothing, and less than a value: by variable. */
  readonly given?: ReadonlyMap<number, { readonly weights: ArrayLike<number> }>;
}

/** Predictor bits of particles that are held at a time. */
const PARTICLES_AT_A_TIME = 2 ** 14;

/**
 * Draws what is not known of each row given what is, by sequential Monte Carlo: particles go through the ordering, unknown
 * variables are drawn, known ones weigh; where the effective sample size of a row falls below half, its particles are
 * resampled (systematic). A row whose known variables come first needs one particle a draw, and is exact.
 *
 * Row r takes its numbers in turn from the random stream (seed, complete, r): what a row is given does not depend on the others.
 */
export function completeTable(
  model: TableModel,
  blanks: Blanks,
  options: CompletionOptions,
): readonly TableCompletion[] {
  const { matrix, known } = blanks;
  const { rows } = matrix;
  const results = Array.from({ length: options.draws }, (): TableCompletion => {
    const copy = model.emptyRows(rows);
    copy.bytes.set(matrix.bytes);
    return {
      matrix: copy,
      effectiveSampleSize: new Float64Array(rows),
      exact: new Uint8Array(rows),
      logEvidence: new Float64Array(rows),
      logEvidenceError: new Float64Array(rows),
    };
  });
  const isKnown = knownVariables(model, known);
  const first = results[0]!;
  for (let row = 0; row < rows; row++) first.exact[row] = isExact(model, isKnown, row, options.given) ? 1 : 0;
  const particlesOf = (row: number): number => (first.exact[row] === 1 ? options.draws : options.samples);
  for (let from = 0; from < rows;) {
    let particles = 0;
    let to = from;
    while (to < rows && (to === from || particles + particlesOf(to) <= PARTICLES_AT_A_TIME))
      particles += particlesOf(to++);
    completeRows(model, matrix, isKnown, from, to, particlesOf, options, results);
    from = to;
  }
  for (const result of results.slice(1)) {
    result.exact.set(first.exact);
    result.effectiveSampleSize.set(first.effectiveSampleSize);
    result.logEvidence.set(first.logEvidence);
    result.logEvidenceError.set(first.logEvidenceError);
  }
  return results;
}

/** Element `row * V + variable`: 1 where the variable is known. */
function knownVariables(model: TableModel, known: BitMatrix): Uint8Array {
  const { variables, offsets } = model;
  const result = new Uint8Array(known.rows * variables);
  for (let row = 0; row < known.rows; row++)
    for (let index = 0; index < variables; index++) result[row * variables + index] = known.get(row, offsets[index]!);
  return result;
}

/** Whether nothing is known of any variable behind the first one that is drawn. */
function isExact(
  { ordering, variables }: TableModel,
  isKnown: Uint8Array,
  row: number,
  given: CompletionOptions['given'],
): boolean {
  let wasDrawn = false;
  for (const index of ordering) {
    const isValue = isKnown[row * variables + index] === 1;
    if (wasDrawn && (isValue || given?.has(index) === true)) return false;
    if (!isValue) wasDrawn = true;
  }
  return true;
}

/** The rows from `from` to `to` - 1, their particles side by side. */
function completeRows(
  model: TableModel,
  matrix: BitMatrix,
  isKnown: Uint8Array,
  from: number,
  to: number,
  particlesOf: (row: number) => number,
  { seed, draws, given: restrictions }: CompletionOptions,
  results: readonly TableCompletion[],
): void {
  const { variables, ordering, offsets, table } = model;
  const counts = Array.from({ length: to - from }, (_, at) => particlesOf(from + at));
  const particles = new ParticleWeights(counts);
  const streams = counts.map((_, at) => new RandomStream(seed, Purpose.complete, from + at));
  const bits = model.emptyBits(particles.count);
  const codes = Array.from({ length: variables }, () => new Uint16Array(particles.count));
  const given = matrix.selectRows(Array.from({ length: to - from }, (_, at) => from + at));
  const uniforms = new Float64Array(particles.count);
  for (let position = 0; position < variables; position++) {
    const index = ordering[position]!;
    const conditional = model.conditionals[position]!;
    const own = codes[index]!;
    const values = knownCodes(given, table.variables[index]!, offsets[index]!, offsets[index + 1]!);
    const observed: number[] = [];
    const drawn: number[] = [];
    for (let at = 0; at < counts.length; at++) {
      const isGiven = isKnown[(from + at) * variables + index] === 1;
      for (let particle = particles.start(at); particle < particles.start(at + 1); particle++) {
        if (isGiven) {
          own[particle] = values[at]!;
          observed.push(particle);
        } else {
          uniforms[particle] = streams[at]!.uniform();
          drawn.push(particle);
        }
      }
    }
    const nats = new Float64Array(particles.count);
    if (observed.length > 0) conditional.logProbabilities(bits, own, Uint32Array.from(observed), nats);
    if (drawn.length > 0) {
      // that a blank is no hole says nothing of the rest of its row
      const restriction = restrictions?.get(index)?.weights;
      const allowed = restriction ?? filledWeights(table.variables[index]!);
      conditional.draw(bits, Uint32Array.from(drawn), uniforms, allowed, own, restriction && nats);
    }
    model.write(position, own, bits, null, 0);
    for (let at = 0; at < counts.length; at++) {
      const copies = particles.weigh(
        at,
        nats,
        () => streams[at]!.uniform(),
        isKnown[(from + at) * variables + index] === 0,
      );
      if (copies !== null) copyParticles(bits, codes, particles.start(at), copies);
    }
  }
  for (let at = 0; at < counts.length; at++) {
    const row = from + at;
    for (let draw = 0; draw < draws; draw++) {
      const isExactRow = results[0]!.exact[row] === 1;
      const chosen = isExactRow ? particles.start(at) + draw : particles.choose(at, streams[at]!.uniform());
      for (let index = 0; index < variables; index++) {
        if (isKnown[row * variables + index] === 1) continue;
        writeCode(results[draw]!.matrix, row, offsets[index]!, offsets[index + 1]!, codes[index]![chosen]!);
      }
    }
    results[0]!.effectiveSampleSize[row] = particles.effectiveSize(at);
    results[0]!.logEvidence[row] = particles.logEvidence[at]!;
    results[0]!.logEvidenceError[row] = results[0]!.exact[row] === 1 ? 0 : particles.evidenceError(at);
  }
}

/** Gives each particle of a row the state of the one it is copied from: sources in ascending order. */
function copyParticles(bits: BitMatrix, codes: readonly Uint16Array[], first: number, sources: Uint32Array): void {
  const { bytes, stride } = bits;
  const end = first + sources.length;
  const states = bytes.slice(first * stride, end * stride);
  sources.forEach((source, place) => {
    bytes.set(states.subarray(source * stride, (source + 1) * stride), (first + place) * stride);
  });
  for (const own of codes) {
    const before = own.slice(first, end);
    sources.forEach((source, place) => (own[first + place] = before[source]!));
  }
}
