import { codeCount } from '@orchard/dataset';
import { CodeNetwork, groupsOf, piecesOf, type LearntCodeNetwork, type NetworkVariable } from '@orchard/forests';
import {
  checkWhole,
  madeOfBody,
  NumberArray,
  SequentialTableModel,
  type BodyArrays,
  type ModelBody,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { sumOf } from '@orchard/numerics';

type Table = NonNullable<ModelHead['table']>;

export const bayesianNetworkFamily = 'bayesian-network';

/** A Bayesian network of a table's variables, by decision tables over groups of their codes. */
export class BayesianNetworkTable extends SequentialTableModel {
  readonly family = bayesianNetworkFamily;

  constructor(
    head: Pick<ModelHead, 'specification' | 'likelihoods'> & { readonly table: Table },
    readonly parts: LearntCodeNetwork,
  ) {
    super(head);
  }

  /** Of each variable. */
  get parents(): readonly Uint32Array[] {
    return this.parts.network.variables.map(({ parents }) => parents);
  }

  protected get distribution(): CodeNetwork {
    return this.parts.network;
  }

  /** What a variable's edges tell of it, each beside the others: its predictors are its parents. */
  importanceOf(index: number): Float64Array {
    checkWhole('variable', index, 0, this.variables - 1);
    const shares = new Float64Array(this.variables);
    const first = this.parents.slice(0, index).reduce((sum, { length }) => sum + length, 0);
    let total = 0;
    this.parents[index]!.forEach((parent, at) => {
      shares[parent] = this.parts.information[first + at]!;
      total += shares[parent]!;
    });
    return total > 0 ? shares.map((share) => share / total) : shares;
  }

  /** Those that predict nothing. */
  irrelevantVariables(): Uint32Array {
    const used = new Uint8Array(this.variables);
    for (const own of this.parents) for (const parent of own) used[parent] = 1;
    return Uint32Array.from(used.keys()).filter((index) => used[index] === 0);
  }

  summary(): ModelSummary {
    const counts = this.parents.map(({ length }) => length);
    const edges = sumOf(counts);
    const most = counts.reduce((high, count) => Math.max(high, count), 0);
    return {
      dimensions: this.dimensions,
      facts: [
        ['model', 'a Bayesian network of variables, by tables of their parents'],
        ['edges', `${String(edges)}, at most ${String(most)} parents a variable`],
        ['answers', 'exactly: likelihoods, samples, completions where known columns come first; others by particles'],
      ],
    };
  }

  protected body(): BodyArrays {
    const { network, information } = this.parts;
    const { variables } = network;
    return {
      counts: NumberArray.ofIntegers([Uint32Array.from(variables, ({ parents }) => parents.length)]),
      parents: NumberArray.ofIntegers(variables.map(({ parents }) => parents)),
      groups: NumberArray.ofIntegers(variables.map(({ groupOf }) => Uint32Array.from(groupOf))),
      within: NumberArray.ofFloats(variables.map(({ within }) => within)),
      given: NumberArray.ofFloats(variables.map(({ given }) => given)),
      information: NumberArray.ofFloats([information]),
    };
  }
}

/** @throws ModelError where the arrays contradict the table or each other */
export function readBayesianNetworkTable(head: ModelHead, table: Table, body: ModelBody): BayesianNetworkTable {
  body.requireOnly(['counts', 'parents', 'groups', 'within', 'given', 'information']);
  return madeOfBody('of each variable its parents, without a circle, and shares of groups that sum to 1', () => {
    const sizes = table.variables.map(codeCount);
    const codes = sumOf(sizes);
    const counts = body.integers('counts', sizes.length);
    const edges = sumOf(counts);
    const parents = piecesOf(Uint32Array.from(body.integers('parents', edges)), counts);
    const groups = piecesOf(Uint16Array.from(body.integers('groups', codes)), sizes);
    const within = piecesOf(body.floats('within', codes), sizes);
    const widths = groups.map((groupOf) => groupsOf({ groupOf }));
    const cells = parents.map((own, index) =>
      own.reduce((product, parent) => product * (widths[parent] ?? 1), widths[index]!),
    );
    const given = piecesOf(body.floats('given', sumOf(cells)), cells);
    const variables = sizes.map((_, index): NetworkVariable => ({
      parents: parents[index]!,
      groupOf: groups[index]!,
      within: within[index]!,
      given: given[index]!,
    }));
    const information = body.floats('information', edges);
    if (!information.every((nats) => nats >= 0 && nats < Infinity)) throw new RangeError('information that is none');
    return new BayesianNetworkTable({ ...head, table }, { network: new CodeNetwork(variables), information });
  });
}
