import { meanOverRows, type CountedRows, type CountedSplits } from '@orchard/dataset';
import { ForestMixture, ForestMixtureModel } from '@orchard/mixture';
import type { Forest } from '@orchard/forests';
import { untold } from '@orchard/model';
import { headOfStep } from '@orchard/pipeline';
import type { BoostedSpecification } from './boosted-run.js';
import { addStep, TreeFitter } from './fit-tree.js';
import { endsWith, treeOf, type Round, type RoundTree } from './rounds.js';

/**
 * The rounds of a run, one after the other: f ← (1 − ε) f + ε h, h fitted to the training rows weighted by 1 / f, ε by line search (Rosset and Segal,
 * 2002). What a round is depends on those before it alone, whether they were computed here or read.
 */
export class Boosting {
  readonly rounds: Round[] = [];
  /** log f of each row. */
  readonly #train: Float64Array;
  readonly #valid: Float64Array;
  readonly #fitter: TreeFitter;

  constructor(
    private readonly rows: CountedSplits,
    private readonly options: BoostedSpecification,
  ) {
    const { train, valid } = rows;
    this.#train = new Float64Array(train.distinct.rows);
    this.#valid = new Float64Array(valid.distinct.rows);
    this.#fitter = new TreeFitter(train, (forest) => logsOf(forest, train), options);
  }

  /** Computes the next round. */
  next(): RoundTree {
    const { forest, step, logs } = this.rounds.length === 0 ? this.#fitter.first() : this.#fitter.next(this.#train);
    this.#add(forest, step, logs);
    const [train, valid] = [meanOverRows(this.#train, this.rows.train), meanOverRows(this.#valid, this.rows.valid)];
    const made = { round: this.rounds.length + 1, step, train, valid };
    const facts = { ...made, isLast: endsWith(made, this.rounds, this.options) };
    this.rounds.push(facts);
    const head = headOfStep(this.rows.train.distinct, facts, train);
    return { facts, model: new ForestMixtureModel(head, new ForestMixture(Float64Array.of(1), [forest])) };
  }

  /** Takes a round that was computed before. */
  follow({ facts, model }: RoundTree): void {
    const forest = treeOf(model);
    this.#add(forest, facts.step, logsOf(forest, this.rows.train));
    this.rounds.push(facts);
  }

  #add(forest: Forest, step: number, logs: Float64Array): void {
    addStep(this.#train, { logs, step });
    addStep(this.#valid, { logs: logsOf(forest, this.rows.valid), step });
  }
}

/** log P of each distinct row under a tree. */
function logsOf(forest: Forest, { distinct }: CountedRows): Float64Array {
  const { dimensions, names, shape } = distinct;
  const head = { dimensions, names, shape, specification: null, likelihoods: untold };
  return new ForestMixtureModel(head, new ForestMixture(Float64Array.of(1), [forest])).logLikelihood(distinct);
}
