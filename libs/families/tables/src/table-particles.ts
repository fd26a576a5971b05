import type { BitMatrix, DecisionTree } from '@orchard/dataset';
import {
  blankWeights,
  filledWeights,
  KNOWN,
  OPEN,
  type BlanksAs,
  type Copies,
  type Particles,
  type ParticleStates,
} from '@orchard/model';
import { allowedOdds, firstOpen, type AllowedOdds } from './allowed-codes.js';
import { DistinctRows, type AlikeRows } from './distinct-rows.js';
import type { TableModel } from './table-model.js';

/** Takes the code that a particle has at a position, for a draw of a row. */
export type TakeCode = (row: number, draw: number, position: number, code: number) => void;

/**
 * What the particles of a table have come to: codes, the predictor bits of these, and the decision that each stands at.
 */
export class TableParticles implements ParticleStates {
  readonly #bits: BitMatrix;
  /** Element `particle * V + position`. */
  readonly #codes: Uint16Array;
  /** The decision of the present position that a particle comes to, or `-1 - code`. */
  readonly #nodes: Int32Array;
  /**
   * Of particles of rows that are restricted, or drawn as `sample` draws, their place in {@link #allowed}; -1 of
   * others.
   */
  readonly #places: Int32Array;
  /** e^μ of each particle at the present position, where it has a line. */
  readonly #linePlaces: Float64Array;
  #allowed: AllowedOdds | null = null;
  #restricted = new Uint32Array(0);
  /** They by group, as they are asked. */
  #runsOfRestricted: readonly AlikeRows[] = [];
  readonly #distinct = new DistinctRows();
  /** Of the present position. */
  #tree: DecisionTree | null = null;
  /** Of each group: what is said of it in its row, */
  #said: Uint8Array = new Uint8Array(0);
  /** and in which positions before it its particles may differ, and in which words of their bits. */
  readonly #open: number[][] = [];
  readonly #differing: Uint8Array[] = [];

  constructor(
    private readonly model: TableModel,
    room: number,
    private readonly given: ReadonlyMap<number, { readonly weights: ArrayLike<number> }> | undefined,
    private readonly blanksAs: BlanksAs,
    private readonly takeCode: TakeCode,
  ) {
    this.#bits = model.emptyBits(room);
    this.#codes = new Uint16Array(room * model.variables);
    this.#nodes = new Int32Array(room);
    this.#linePlaces = new Float64Array(room);
    this.#places = new Int32Array(room);
  }

  copy(position: number, { from, to }: Copies): void {
    const { bytes, stride } = this.#bits;
    const { variables, predictors } = this.model;
    // what lies behind is of positions that none has come to
    const used = (predictors[position]! + 7) >> 3;
    for (let i = 0; i < from.length; i++) {
      const [source, target] = [from[i]!, to[i]!];
      bytes.copyWithin(target * stride, source * stride, source * stride + used);
      this.#codes.copyWithin(target * variables, source * variables, source * variables + position);
      this.#nodes[target] = this.#nodes[source]!;
      this.#linePlaces[target] = this.#linePlaces[source]!;
      this.#places[target] = this.#places[source]!;
    }
    from.length = 0;
    to.length = 0;
  }

  begin(position: number, particles: Particles, said: Uint8Array): void {
    const { tree, variable, line } = this.model.conditionals[position]!;
    const root = tree.zero.length === 0 ? -1 : 0;
    const blank = blankWeights(variable, this.model.ordering[position]!, this.blanksAs);
    const filled = firstOpen(tree, filledWeights(variable));
    // a blank that can only be a value needs no odds of whether it is one
    const isValue = this.blanksAs !== 'drawn' && firstOpen(tree, blank) === filled;
    const restricted: number[] = [];
    const runs: AlikeRows[] = [];
    this.#said = said;
    this.#tree = tree;
    for (let group = this.#open.length; group < particles.groups; group++) {
      this.#open.push([]);
      this.#differing.push(new Uint8Array(this.#bits.stride >> 2));
    }
    said.forEach((how, group) => {
      const members = particles.of(group);
      line?.places(this.#codes, this.model.variables, members, this.#open[group]!, this.#linePlaces);
      const isFilled = how === OPEN && isValue;
      const isFree = how === KNOWN || isFilled;
      for (const particle of members) {
        this.#nodes[particle] = isFilled ? filled : root;
        this.#places[particle] = isFree ? -1 : restricted.push(particle) - 1;
      }
      if (!isFree) runs.push({ rows: members.slice(), differing: this.#differing[group]! });
    });
    this.#restricted = Uint32Array.from(restricted);
    this.#runsOfRestricted = runs;
    const given = this.given?.get(this.model.ordering[position]!)?.weights;
    const weights = given ?? (isValue ? undefined : blank);
    this.#allowed =
      weights === undefined
        ? null
        : allowedOdds(tree, weights, restricted.length, (decision) =>
            this.#evaluate(position, decision, this.#runsOfRestricted),
          );
  }

  allowed(chances: Float64Array): void {
    this.#restricted.forEach((particle, place) => {
      chances[particle] = this.#allowed!.chances[place]!;
    });
  }

  odds(position: number, _: number, particles: Particles, odds: Float64Array): void {
    const waiting: (AlikeRows[] | undefined)[] = [];
    for (let group = 0; group < particles.groups; group++) {
      const differing = this.#differing[group]!;
      for (const [decision, rows] of this.#waitingOf(group, particles.of(group), odds)) {
        if (waiting[decision] === undefined) waiting[decision] = [];
        waiting[decision].push({ rows, differing });
      }
    }
    waiting.forEach((runs, decision) => {
      const found = this.#evaluate(position, decision, runs!);
      const { rows } = this.#distinct;
      for (let at = 0; at < found.length; at++) odds[rows[at]!] = found[at]!;
    });
  }

  /** The particles of a group that stand at each decision; writes the odds of those that wait for none. */
  #waitingOf(group: number, members: Uint32Array, odds: Float64Array): Iterable<readonly [number, Uint32Array]> {
    if (members.length === 0) return [];
    const nodes = this.#nodes;
    if (this.#said[group] === KNOWN) {
      // their value is the same, and so is the way to it
      const node = nodes[members[0]!]!;
      if (node >= 0) return [[node, members]];
      for (let at = 0; at < members.length; at++) odds[members[at]!] = NaN;
      return [];
    }
    const byNode = new Map<number, number[]>();
    for (const particle of members) {
      odds[particle] = NaN;
      const node = nodes[particle]!;
      if (node < 0) continue;
      const place = this.#places[particle]!;
      const conditioned = place < 0 ? null : this.#allowed!.odds[node]!;
      if (conditioned !== null) {
        odds[particle] = conditioned[place]!;
        continue;
      }
      const before = byNode.get(node);
      if (before === undefined) byNode.set(node, [particle]);
      else before.push(particle);
    }
    return Array.from(byNode, ([node, own]) => [node, Uint32Array.from(own)] as const);
  }

  take(_: number, particle: number, outcome: number): void {
    const { zero, one } = this.#tree!;
    this.#nodes[particle] = (outcome === 1 ? one : zero)[this.#nodes[particle]!]!;
  }

  end(position: number, particles: Particles): void {
    const { variables } = this.model;
    // numbers that no particle has get the bits of code 0, and those of another particle before they are used again
    const codes = new Uint16Array(particles.used);
    for (let group = 0; group < particles.groups; group++) {
      this.#noteOpen(position, group);
      for (const particle of particles.of(group)) {
        const code = -1 - this.#nodes[particle]!;
        codes[particle] = code;
        this.#codes[particle * variables + position] = code;
      }
    }
    this.model.setBits(
      this.#bits,
      position,
      codes,
      (particle, earlier) => this.#codes[particle * variables + earlier]!,
    );
  }

  /** Particles differ in a position that is not known, and in sums of it and another. */
  #noteOpen(position: number, group: number): void {
    const { predictors, sums } = this.model;
    const open = this.#open[group]!;
    if (this.#said[group] !== KNOWN) open.push(position);
    else if (!sums[position]!.some(({ first }) => open.includes(first))) return;
    this.#differing[group]!.fill(1, predictors[position]! >> 5, (predictors[position + 1]! + 31) >> 5);
  }

  write(row: number, draw: number, particle: number): void {
    const { variables } = this.model;
    for (let position = 0; position < variables; position++)
      this.takeCode(row, draw, position, this.#codes[particle * variables + position]!);
  }

  /** Odds of a decision, by place in `#distinct.rows`: those of its trees are evaluated of rows that differ in them. */
  #evaluate(position: number, decision: number, runs: readonly AlikeRows[]): Float64Array {
    const conditional = this.model.conditionals[position]!;
    const distinct = this.#distinct;
    distinct.find(conditional.ensembles[decision]!, this.#bits, runs);
    const ofTrees = new Float64Array(distinct.count);
    conditional.oddsOfTrees(decision, this.#bits, distinct.representatives.slice(0, distinct.count), ofTrees);
    const odds = new Float64Array(distinct.asked);
    for (let at = 0; at < odds.length; at++) odds[at] = ofTrees[distinct.places[at]!]!;
    conditional.fromLine(decision, odds, distinct.rows, this.#linePlaces);
    return odds;
  }
}
