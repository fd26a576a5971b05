import type { NetworkSum } from './network-sum.js';
import type { SelectionPath } from './selection.js';

/**
 * Keeps about `points` of the models that pass by, in any number: the first, the last, and evenly spaced ones between.
 */
export class PathRecorder {
  readonly #last: number;
  readonly #points: number;
  readonly #trees: number[] = [];
  readonly #train: number[] = [];
  readonly #valid: number[] = [];
  #step = 0;
  #nextStep = 0;

  /** @param models - how many models will be offered, so that the spacing is known beforehand */
  constructor(models: number, points: number) {
    this.#last = models - 1;
    this.#points = Math.max(2, Math.min(points, models));
  }

  offer(model: NetworkSum): void {
    if (this.#step === this.#nextStep) {
      this.#keep(model);
      const kept = this.#trees.length;
      this.#nextStep = Math.max(this.#step + 1, Math.round((kept * this.#last) / (this.#points - 1)));
    }
    this.#step += 1;
  }

  /** The path in order of ascending trees, with the chosen model added where the thinning left it out. */
  finish(chosen: NetworkSum): SelectionPath {
    if (this.#trees.at(-1)! < this.#trees[0]!)
      for (const list of [this.#trees, this.#train, this.#valid]) list.reverse();
    const at = this.#trees.findIndex((trees) => trees >= chosen.trees);
    const index = at < 0 ? this.#trees.length : at;
    if (this.#trees[index] !== chosen.trees) {
      this.#trees.splice(index, 0, chosen.trees);
      this.#train.splice(index, 0, chosen.train.value);
      this.#valid.splice(index, 0, chosen.valid.value);
    }
    return {
      trees: Float64Array.from(this.#trees),
      train: Float64Array.from(this.#train),
      valid: Float64Array.from(this.#valid),
      chosen: index,
    };
  }

  #keep(model: NetworkSum): void {
    this.#trees.push(model.trees);
    this.#train.push(model.train.value);
    this.#valid.push(model.valid.value);
  }
}
