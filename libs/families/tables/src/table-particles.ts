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
  #allowed: AllowedOdds | null = null;
  #restricted = new Uint32Array(0);
  readonly #distinct = new DistinctRows();

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
    this.#places = new Int32Array(room);
  }

  copy(_: number, { from, to }: Copies): void {
    const { bytes, stride } = this.#bits;
    const { variables } = this.model;
    for (let i = 0; i < from.length; i++) {
      const [source, target] = [from[i]!, to[i]!];
      bytes.copyWithin(target * stride, source * stride, (source + 1) * stride);
      this.#codes.copyWithin(target * variables, source * variables, (source + 1) * variables);
      this.#nodes[target] = this.#nodes[source]!;
      this.#places[target] = this.#places[source]!;
    }
    from.length = to.length = 0;
  }

  begin(position: number, particles: Particles, said: Uint8Array): void {
    const { tree, variable } = this.model.conditionals[position]!;
    const root = tree.zero.length === 0 ? -1 : 0;
    const filled = firstOpen(tree, filledWeights(variable));
    const restricted: number[] = [];
    said.forEach((how, group) => {
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
            const odds = new Float64Array(restricted.length);
            this.#evaluate(position, decision, this.#restricted, (place, value) => (odds[place] = value));
            return odds;
          });
  }

  allowed(chances: Float64Array): void {
    this.#restricted.forEach((particle, place) => (chances[particle] = this.#allowed!.chances[place]!));
  }

  odds(position: number, _: number, particles: Particles, odds: Float64Array): void {
    const byDecision = new Map<number, number[]>();
    for (let group = 0; group < particles.groups; group++)
      for (const particle of particles.of(group)) {
        const node = this.#nodes[particle]!;
        odds[particle] = NaN;
        if (node < 0) continue;
        const conditioned = this.#places[particle]! < 0 ? null : this.#allowed!.odds[node]!;
        if (conditioned !== null) {
          odds[particle] = conditioned[this.#places[particle]!]!;
          continue;
        }
        const reaching = byDecision.get(node);
        if (reaching === undefined) byDecision.set(node, [particle]);
        else reaching.push(particle);
      }
    for (const [decision, reaching] of byDecision)
      this.#evaluate(position, decision, Uint32Array.from(reaching), (at, value) => (odds[reaching[at]!] = value));
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
      for (const particle of particles.of(group))
        this.#codes[particle * variables + position] = codes[particle] = -1 - this.#nodes[particle]!;
    this.model.write(position, codes, this.#bits, null, 0);
  }

  write(row: number, draw: number, particle: number): void {
    const { variables } = this.model;
    for (let position = 0; position < variables; position++)
      this.takeCode(row, draw, position, this.#codes[particle * variables + position]!);
  }

  /** Odds of a decision, of rows that differ in what it looks at. */
  #evaluate(
    position: number,
    decision: number,
    reaching: Uint32Array,
    take: (place: number, odds: number) => void,
  ): void {
    const conditional = this.model.conditionals[position]!;
    const distinct = this.#distinct;
    distinct.find(conditional.ensembles[decision]!, this.#bits, reaching);
    const odds = new Float64Array(distinct.count);
    conditional.odds(decision, this.#bits, distinct.representatives.slice(0, distinct.count), odds);
    for (let at = 0; at < reaching.length; at++) take(at, odds[distinct.places[at]!]!);
  }
}
