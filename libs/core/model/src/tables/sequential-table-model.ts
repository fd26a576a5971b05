import { writeCode, type BitMatrix } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { blanksOf, checkSeed, checkWhole } from '../port/arguments.js';
import type { BinaryMatrix } from '../port/binary-matrix.js';
import type { CompleteOptions, Completion } from '../port/completion.js';
import type { Copies, Particles } from '../sequential/particles.js';
import { completeSequentially } from '../sequential/sequential.js';
import { KNOWN, OPEN, RESTRICTED, type ParticleStates } from '../sequential/unknown-variables.js';
import { CodedTableModel } from './coded-table-model.js';
import { blankWeights, drawnWeights } from './evidence.js';
import { PARTICLES_OF_TABLES, type TableCompletionOptions } from './tabular-model.js';

/** Bytes of particles that are held at a time, where a row does not ask for more. */
const ROOM = 2 ** 23;

type WeightsOf = (index: number, said: number) => ArrayLike<number> | null;

/**
 * A model of a table that predicts each variable by those before it in its ordering, and knows no more. Samples are
 * exact; completions are by particles, exact where what is known comes first.
 */
export abstract class SequentialTableModel extends CodedTableModel {
  protected override draw(count: number, seed: number, firstRow: number): BitMatrix {
    const matrix = this.emptyRows(count);
    const weights = this.table.variables.map(drawnWeights);
    const chances = weights.map(({ length }) => new Float64Array(length));
    const codes = new Uint16Array(this.variables);
    for (let row = 0; row < count; row++) {
      const stream = new RandomStream(seed, Purpose.sample, firstRow + row);
      for (const index of this.ordering) {
        this.distribution.distributionInto(index, codes, chances[index]!, 0);
        codes[index] = drawnCode(chances[index]!, weights[index]!, stream.uniform());
      }
      this.write(codes, matrix, row);
    }
    return matrix;
  }

  complete(values: BinaryMatrix, known: BinaryMatrix, options: CompleteOptions): Completion {
    return this.completions(values, known, { samples: PARTICLES_OF_TABLES, ...options, draws: 1 })[0]!;
  }

  /** Of a variable all bits are known, or none. By sequential Monte Carlo over the bits of each code. */
  completions(
    values: BinaryMatrix,
    known: BinaryMatrix,
    { given, blanksAs = 'values', ...counts }: TableCompletionOptions,
  ): readonly Completion[] {
    checkSeed(counts.seed);
    checkWhole('samples', counts.samples, 1, 2 ** 20);
    const { matrix, known: mask } = blanksOf(values, known, this);
    const { offsets, ordering } = this;
    const first = this.emptyRows(matrix.rows);
    first.bytes.set(matrix.bytes);
    const filled = Array.from({ length: counts.draws }, () => first.copy());
    // by place in the ordering
    const bits = Array.from(ordering, (index) => offsets[index + 1]! - offsets[index]!);
    const codes = this.codesByVariable(matrix);
    const blank = this.table.variables.map((variable, index) => blankWeights(variable, index, blanksAs));
    const weightsOf: WeightsOf = (index, said) =>
      said === KNOWN ? null : said === OPEN ? blank[index]! : given!.get(index)!.weights;
    const saidOf = (row: number, index: number): number =>
      mask.get(row, offsets[index]!) === 1 ? KNOWN : given?.has(index) === true ? RESTRICTED : OPEN;
    const most = bits.reduce((sum, own) => Math.max(sum, own), 0);
    const completion = completeSequentially(
      {
        rows: matrix.rows,
        steps: bits,
        numbers: bits.map((own) => own + 1),
        room: Math.floor(ROOM / 2 ** (most + 4)),
        said: (row, place) => saidOf(row, ordering[place]!),
        outcome: (row, place, step) => (codes[ordering[place]!]![row]! >> (bits[place]! - 1 - step)) & 1,
        states: (room) =>
          new CodeParticles(ordering, bits, room, 2 ** (most + 1), {
            weightsOf,
            distributionInto: (index, own, chances, offset) => {
              this.distribution.distributionInto(index, own, chances, offset);
            },
            take: (row, draw, own) => {
              own.forEach((code, index) => {
                if (saidOf(row, index) !== KNOWN)
                  writeCode(filled[draw]!, row, offsets[index]!, offsets[index + 1]!, code);
              });
            },
          }),
      },
      counts,
    );
    return filled.map((each) => ({ matrix: each, ...completion }));
  }
}

function drawnCode(chances: Float64Array, weights: Float64Array, uniform: number): number {
  let rest = uniform * chances.reduce((sum, chance, code) => sum + chance * weights[code]!, 0);
  let last = 0;
  for (let code = 0; code < chances.length; code++) {
    const chance = chances[code]! * weights[code]!;
    if (chance === 0) continue;
    if (rest < chance) return code;
    rest -= chance;
    last = code;
  }
  return last;
}

/** Each particle holds its codes, and of the present variable a heap of the probabilities of all prefixes of a code. */
class CodeParticles implements ParticleStates {
  readonly #codes: Uint16Array;
  readonly #heaps: Float64Array;
  readonly #nodes: Uint32Array;

  /** @param bits of the codes of each variable, by its place in the ordering */
  constructor(
    private readonly ordering: Uint32Array,
    private readonly bits: readonly number[],
    room: number,
    private readonly size: number,
    private readonly model: {
      readonly weightsOf: WeightsOf;
      distributionInto(index: number, codes: Uint16Array, chances: Float64Array, offset: number): void;
      take(row: number, draw: number, codes: Uint16Array): void;
    },
  ) {
    this.#codes = new Uint16Array(room * bits.length);
    this.#heaps = new Float64Array(room * size);
    this.#nodes = new Uint32Array(room);
  }

  copy(place: number, { from, to }: Copies): void {
    const { size } = this;
    const heap = 2 ** (this.bits[place]! + 1);
    for (let at = 0; at < from.length; at++) {
      const [source, target] = [from[at]!, to[at]!];
      this.#heaps.copyWithin(target * size, source * size, source * size + heap);
      this.#own(target).set(this.#own(source));
      this.#nodes[target] = this.#nodes[source]!;
    }
    from.length = 0;
    to.length = 0;
  }

  begin(place: number, particles: Particles, said: Uint8Array): void {
    const leaves = 2 ** this.bits[place]!;
    const index = this.ordering[place]!;
    said.forEach((how, group) => {
      const weights = this.model.weightsOf(index, how);
      for (const particle of particles.of(group)) {
        const heap = this.#heaps.subarray(particle * this.size, particle * this.size + 2 * leaves);
        heap.fill(0);
        this.model.distributionInto(index, this.#own(particle), heap, leaves);
        if (weights !== null) for (let code = 0; code < weights.length; code++) heap[leaves + code]! *= weights[code]!;
        for (let node = leaves - 1; node > 0; node--) heap[node] = heap[2 * node]! + heap[2 * node + 1]!;
        this.#nodes[particle] = 1;
      }
    });
  }

  allowed(chances: Float64Array): void {
    for (let particle = 0; particle < chances.length; particle++)
      chances[particle] = this.#heaps[particle * this.size + 1]!;
  }

  odds(_: number, __: number, { used }: Particles, odds: Float64Array): void {
    for (let particle = 0; particle < used; particle++) {
      const children = particle * this.size + 2 * this.#nodes[particle]!;
      const [zero, one] = [this.#heaps[children]!, this.#heaps[children + 1]!];
      odds[particle] = one === 0 ? 0 : one / zero;
    }
  }

  take(_: number, particle: number, outcome: number): void {
    this.#nodes[particle] = 2 * this.#nodes[particle]! + outcome;
  }

  end(place: number, particles: Particles): void {
    for (let group = 0; group < particles.groups; group++)
      for (const particle of particles.of(group))
        this.#own(particle)[this.ordering[place]!] = this.#nodes[particle]! - 2 ** this.bits[place]!;
  }

  write(row: number, draw: number, particle: number): void {
    this.model.take(row, draw, this.#own(particle));
  }

  #own(particle: number): Uint16Array {
    const { length } = this.bits;
    return this.#codes.subarray(particle * length, (particle + 1) * length);
  }
}
