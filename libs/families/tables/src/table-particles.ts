import type { BitMatrix } from '@orchard/dataset';
import {
  drawnWeights,
  filledWeights,
  KNOWN,
  OPEN,
  type Copies,
  type Particles,
  type ParticleStates,
} from '@orchard/model';
import { allowedOdds, firstOpen, type AllowedOdds } from './allowed-codes.js';
import { DistinctRows } from './distinct-rows.js';
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
  readonly #distinct = new DistinctRows();
  /** Of the particles that stand at a decision: they, their decisions, and they sorted by these. */
  readonly #waiting: Uint32Array;
  readonly #decisions: Uint32Array;
  readonly #sorted: Uint32Array;
  /** By decision: how many stand there, and where they end in the sorted ones. */
  readonly #counts: Uint32Array;
  readonly #ends: Uint32Array;

  constructor(
    private readonly model: TableModel,
    room: number,
    private readonly given: ReadonlyMap<number, { readonly weights: ArrayLike<number> }> | undefined,
    private readonly mayBeAbsent: boolean,
    private readonly takeCode: TakeCode,
  ) {
    this.#bits = model.emptyBits(room);
    this.#codes = new Uint16Array(room * model.variables);
    this.#nodes = new Int32Array(room);
    this.#linePlaces = new Float64Array(room);
    this.#places = new Int32Array(room);
    [this.#waiting, this.#decisions, this.#sorted] = [0, 0, 0].map(() => new Uint32Array(room)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
    const most = model.conditionals.reduce((sum, { ensembles }) => Math.max(sum, ensembles.length), 0);
    this.#counts = new Uint32Array(most);
    this.#ends = new Uint32Array(most);
  }

  copy(_: number, { from, to }: Copies): void {
    const { bytes, stride } = this.#bits;
    const { variables } = this.model;
    for (let i = 0; i < from.length; i++) {
      const [source, target] = [from[i]!, to[i]!];
      bytes.copyWithin(target * stride, source * stride, (source + 1) * stride);
      this.#codes.copyWithin(target * variables, source * variables, (source + 1) * variables);
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
    const filled = firstOpen(tree, filledWeights(variable));
    const restricted: number[] = [];
    const before = this.model.conditionals.slice(0, position).map((earlier) => earlier.variable);
    said.forEach((how, group) => {
      line?.placesOfCodes(before, this.#codes, this.model.variables, particles.of(group), this.#linePlaces);
      for (const particle of particles.of(group)) {
        const isFilled = how === OPEN && !this.mayBeAbsent;
        this.#nodes[particle] = isFilled ? filled : root;
        this.#places[particle] = how === KNOWN || isFilled ? -1 : restricted.push(particle) - 1;
      }
    });
    this.#restricted = Uint32Array.from(restricted);
    const given = this.given?.get(this.model.ordering[position]!)?.weights;
    const weights = given ?? (this.mayBeAbsent ? drawnWeights(variable) : undefined);
    this.#allowed =
      weights === undefined
        ? null
        : allowedOdds(tree, weights, restricted.length, (decision) => {
            const odds = this.#evaluate(position, decision, this.#restricted);
            const { places } = this.#distinct;
            return Float64Array.from(restricted, (particle, at) =>
              this.#fromLine(position, decision, odds[places[at]!]!, particle),
            );
          });
  }

  allowed(chances: Float64Array): void {
    this.#restricted.forEach((particle, place) => {
      chances[particle] = this.#allowed!.chances[place]!;
    });
  }

  odds(position: number, _: number, particles: Particles, odds: Float64Array): void {
    const [waiting, decisions, sorted, ends] = [this.#waiting, this.#decisions, this.#sorted, this.#ends];
    const [nodes, places, allowed] = [this.#nodes, this.#places, this.#allowed?.odds];
    const counts = this.#counts.fill(0);
    let all = 0;
    for (let group = 0; group < particles.groups; group++) {
      const members = particles.of(group);
      for (let at = 0; at < members.length; at++) {
        const particle = members[at]!;
        const node = nodes[particle]!;
        odds[particle] = NaN;
        if (node < 0) continue;
        const place = places[particle]!;
        const conditioned = place < 0 ? null : allowed![node]!;
        if (conditioned !== null) {
          odds[particle] = conditioned[place]!;
          continue;
        }
        waiting[all] = particle;
        decisions[all++] = node;
        counts[node]!++;
      }
    }
    // those of a decision side by side
    for (let decision = 0, end = 0; decision < counts.length; decision++) {
      ends[decision] = end;
      end += counts[decision]!;
    }
    for (let at = 0; at < all; at++) sorted[ends[decisions[at]!]!++] = waiting[at]!;
    for (let decision = 0; decision < counts.length; decision++) {
      if (counts[decision] === 0) continue;
      const end = ends[decision]!;
      const reaching = sorted.subarray(end - counts[decision]!, end);
      const found = this.#evaluate(position, decision, reaching);
      const { places: alike } = this.#distinct;
      for (let at = 0; at < reaching.length; at++)
        odds[reaching[at]!] = this.#fromLine(position, decision, found[alike[at]!]!, reaching[at]!);
    }
  }

  take(position: number, particle: number, outcome: number): void {
    const { tree } = this.model.conditionals[position]!;
    this.#nodes[particle] = (outcome === 1 ? tree.one : tree.zero)[this.#nodes[particle]!]!;
  }

  end(position: number, particles: Particles): void {
    const { variables } = this.model;
    // numbers that no particle has get the bits of code 0, and those of another particle before they are used again
    const codes = new Uint16Array(particles.used);
    for (let group = 0; group < particles.groups; group++)
      for (const particle of particles.of(group)) {
        const code = -1 - this.#nodes[particle]!;
        codes[particle] = code;
        this.#codes[particle * variables + position] = code;
      }
    this.model.setBits(
      this.#bits,
      position,
      codes,
      (particle, earlier) => this.#codes[particle * variables + earlier]!,
    );
  }

  write(row: number, draw: number, particle: number): void {
    const { variables } = this.model;
    for (let position = 0; position < variables; position++)
      this.takeCode(row, draw, position, this.#codes[particle * variables + position]!);
  }

  #fromLine(position: number, decision: number, odds: number, particle: number): number {
    return this.model.conditionals[position]!.fromLine(decision, odds, this.#linePlaces[particle]!);
  }

  /** Odds of a decision's trees, of rows that differ in what it reads; each place has those of `#distinct.places`. */
  #evaluate(position: number, decision: number, reaching: Uint32Array): Float64Array {
    const conditional = this.model.conditionals[position]!;
    const distinct = this.#distinct;
    distinct.find(conditional.ensembles[decision]!, this.#bits, reaching);
    const odds = new Float64Array(distinct.count);
    conditional.oddsOfTrees(decision, this.#bits, distinct.representatives.slice(0, distinct.count), odds);
    return odds;
  }
}
