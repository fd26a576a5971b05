import { exp, log, sumOf } from '@orchard/numerics';
import type { Completion } from '../port/completion.js';
import { logProbability } from '../port/likelihood.js';
import { NOT_REACHED, Particles } from './particles.js';
import type { RowNumbers } from '../port/row-numbers.js';
import { draws as isDrawn } from '../port/sampling.js';
import { KNOWN, RESTRICTED, type ParticleStates, type UnknownVariables } from './unknown-variables.js';

/**
 * Of each row: the first position that is not known (V where none is), and the last of which something is said (-1
 * where none is).
 */
export interface Spans {
  readonly firstUnknown: Uint32Array;
  readonly lastKnown: Int32Array;
}

/** What all blocks of rows have in common. */
export interface SequentialTask {
  readonly variables: UnknownVariables;
  /** Particles a row. */
  readonly samples: number;
  /** Independent draws of each row from its particles. */
  readonly draws: number;
  /** Whether these are spread evenly over the particles instead. */
  readonly forCells: boolean;
  readonly spans: Spans;
  readonly numbers: RowNumbers;
  /** Written to: of the rows of a block what it finds of them. */
  readonly completion: Omit<Completion, 'matrix'>;
}

/** Some consecutive rows whose particles go through the ordering together. */
export class SequentialBlock {
  readonly #rows: number;
  readonly #particles: Particles;
  readonly #states: ParticleStates;
  readonly #odds: Float64Array;
  /** Of each group, what is said of the present position in its row. */
  readonly #said: Uint8Array;
  readonly #outcomes: Uint8Array;
  /** Of each row, where its draws stand in its last group, once they are drawn. */
  readonly #places: (Uint32Array | null)[] = [];

  /**
   * @param firstGroup of each row its first group, and the end of all; the last group of a row has its draws
   * @param most of each group: particles at most
   */
  constructor(
    private readonly task: SequentialTask,
    private readonly firstRow: number,
    private readonly firstGroup: Uint32Array,
    private readonly most: Uint32Array,
  ) {
    const { variables, draws } = task;
    this.#rows = firstGroup.length - 1;
    this.#particles = new Particles(most, variables.meritOf);
    const room = this.#particles.weight.length;
    this.#states = variables.states(room);
    this.#odds = new Float64Array(room);
    this.#said = new Uint8Array(most.length);
    this.#outcomes = new Uint8Array(draws);
    for (let at = 0; at < this.#rows; at++) {
      this.#particles.begin(firstGroup[at]!);
      this.#places.push(firstGroup[at + 1]! - firstGroup[at]! === 1 ? new Uint32Array(draws) : null);
    }
  }

  /** Goes through all positions once, and writes the draws. */
  complete(): void {
    const { variables } = this.task;
    for (let position = 0; position < variables.steps.length; position++) this.#pass(position);
    for (let at = 0; at < this.#rows; at++) {
      const members = this.#particles.of(this.firstGroup[at + 1]! - 1);
      this.#places[at]!.forEach((place, draw) => {
        this.#states.write(this.firstRow + at, draw, members[place]!);
      });
    }
  }

  #pass(position: number): void {
    const { variables, spans } = this.task;
    const [rows, firstRow, firstGroup] = [this.#rows, this.firstRow, this.firstGroup];
    const [particles, states, said] = [this.#particles, this.#states, this.#said];
    particles.compact();
    states.copy(position, particles.copies);
    for (let at = 0; at < rows; at++)
      said.fill(variables.said(firstRow + at, position), firstGroup[at], firstGroup[at + 1]);
    states.begin(position, particles, said);
    this.#weighAllowed(position);
    for (let step = 0; step < variables.steps[position]!; step++) {
      states.odds(position, step, particles, this.#odds);
      for (let at = 0; at < rows; at++) this.#decide(at, position, step);
      states.copy(position, particles.copies);
      for (let at = 0; at < rows; at++) this.#take(at, position, step);
    }
    states.end(position, particles);
    for (let at = 0; at < rows; at++)
      if (said[firstGroup[at]!] === KNOWN && position === spans.lastKnown[firstRow + at]! && this.#places[at] === null)
        this.#settle(at, position);
  }

  /** Restricted variables: by the probability of what is allowed. */
  #weighAllowed(position: number): void {
    const { spans, completion } = this.task;
    const [particles, odds, said] = [this.#particles, this.#odds, this.#said];
    if (!said.includes(RESTRICTED)) return;
    this.#states.allowed(odds);
    for (let at = 0; at < this.#rows; at++) {
      const row = this.firstRow + at;
      const group = this.firstGroup[at]!;
      if (said[group] !== RESTRICTED) continue;
      if (this.#places[at] !== null) completion.logEvidence[row]! += log(odds[particles.of(group)[0]!]!);
      else {
        for (let each = group; particles.of(each).length > 0; each++) particles.weigh(each, odds);
        if (position === spans.lastKnown[row]) this.#settle(at, position);
      }
    }
  }

  /**
   * One decision of a row: a known one weighs its particles, an unknown one is drawn after the last known value and
   * branched before it.
   */
  #decide(at: number, position: number, step: number): void {
    if (this.#said[this.firstGroup[at]!] === KNOWN) this.#observe(at, position, step);
    else if (this.#places[at] !== null) this.#draw(at, position, step);
    else this.#branch(at, position, step);
  }

  #observe(at: number, position: number, step: number): void {
    const { variables, spans, completion } = this.task;
    const [particles, odds] = [this.#particles, this.#odds];
    const row = this.firstRow + at;
    const group = this.firstGroup[at]!;
    const drawn = this.firstGroup[at + 1]! - 1;
    const outcome = variables.outcome(row, position, step);
    if (outcome === NOT_REACHED) return;
    if (position < spans.firstUnknown[row]!)
      completion.logEvidence[row]! += logProbability(outcome as 0 | 1, odds[particles.of(group)[0]!]!);
    else
      for (let each = group; each < drawn && particles.of(each).length > 0; each++)
        particles.observe(each, odds, outcome as 0 | 1);
  }

  #draw(at: number, position: number, step: number): void {
    const { numbers } = this.task;
    const [odds, outcomes] = [this.#odds, this.#outcomes];
    const row = this.firstRow + at;
    const drawn = this.firstGroup[at + 1]! - 1;
    const own = this.#places[at]!;
    const members = this.#particles.of(drawn);
    own.forEach((place, draw) => {
      const ones = odds[members[place]!]!;
      if (Number.isNaN(ones)) outcomes[draw] = NOT_REACHED;
      else if (ones === 0 || ones === Infinity) outcomes[draw] = ones === 0 ? 0 : 1;
      else outcomes[draw] = isDrawn(numbers.ofDraw(row, draw, position, step), ones) ? 1 : 0;
    });
    this.#particles.draw(drawn, own, outcomes);
  }

  #branch(at: number, position: number, step: number): void {
    const { numbers } = this.task;
    const [particles, odds] = [this.#particles, this.#odds];
    const group = this.firstGroup[at]!;
    const drawn = this.firstGroup[at + 1]! - 1;
    const isOne = group + 1 < drawn && particles.of(group + 1).length === 0;
    if (isOne && particles.branches(group, odds) > this.most[group]!)
      for (let other = group + 1; other < drawn; other++) particles.fork(group, other, odds);
    for (let each = group; each < drawn && particles.of(each).length > 0; each++)
      particles.branch(each, odds, numbers.ofGroup(this.firstRow + at, each - group, position, step));
  }

  /** Particles continue with what was decided. */
  #take(at: number, position: number, step: number): void {
    const { variables } = this.task;
    const [particles, states, firstGroup] = [this.#particles, this.#states, this.firstGroup];
    const group = firstGroup[at]!;
    const isKnown = this.#said[group] === KNOWN;
    const known = isKnown ? variables.outcome(this.firstRow + at, position, step) : NOT_REACHED;
    if (isKnown && known === NOT_REACHED) return;
    for (let each = group; each < firstGroup[at + 1]!; each++)
      for (const particle of particles.of(each)) {
        const outcome = isKnown ? known : particles.taken[particle]!;
        if (outcome !== NOT_REACHED) states.take(position, particle, outcome);
      }
  }

  /**
   * After the last known value: evidence, its error, and for each draw one particle of one group in proportion to the
   * evidence.
   */
  #settle(at: number, position: number): void {
    const { samples, draws, forCells, numbers, completion } = this.task;
    const particles = this.#particles;
    const row = this.firstRow + at;
    const group = this.firstGroup[at]!;
    const endGroup = this.firstGroup[at + 1]! - 1;
    const groups = endGroup - group;
    const isOne = groups === 1 || particles.of(group + 1).length === 0;
    const logs = particles.logEvidence.slice(group, endGroup);
    if (isOne) logs.fill(logs[0]!);
    const highest = logs.reduce((a, b) => Math.max(a, b));
    const shares = Float64Array.from(logs, (value) => (highest === -Infinity ? 1 : exp(value - highest)));
    const total = sumOf(shares);
    completion.logEvidence[row]! += highest + log(total / groups);
    if (particles.thinned.subarray(group, endGroup).includes(1)) {
      completion.exact[row] = 0;
      completion.logEvidenceError[row] = groups === 1 ? Infinity : standardErrorOfMean(logs);
      // variance of the mean of the groups' evidence over its square: (samples / size - 1) / (samples - 1), as for
      // weights
      const relative = groups === 1 ? 1 : (standardErrorOfMean(shares) / (total / groups)) ** 2;
      completion.effectiveSampleSize[row] = samples / (1 + (samples - 1) * relative);
    }
    const chosen = Array.from({ length: draws }, (_, draw) => {
      const number = forCells
        ? (numbers.ofChoice(row, 0, position) + draw) / draws
        : numbers.ofChoice(row, draw, position);
      let rest = number * total;
      let own = 0;
      while (own < groups - 1 && rest >= shares[own]!) rest -= shares[own++]!;
      return particles.choose(isOne ? group : group + own, rest / shares[own]!);
    });
    this.#places[at] = particles.move(group, endGroup, chosen);
  }
}

function standardErrorOfMean(values: Float64Array): number {
  const count = values.length;
  const mean = sumOf(values) / count;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1) / count);
}
