import { Mixture } from '@orchard/members';
import { Network, type DensityModel, type HeldOutGains, type HeldOutRows } from '@orchard/model';
import { log, logSumExp, sumOf } from '@orchard/numerics';

/** What is judged on held-out rows: the whole, and of a mixture its members, each by its own conditionals. */
export interface Gains {
  readonly whole: HeldOutGains;
  readonly members: readonly HeldOutGains[];
}

/** A model whose columns are predicted by trees: a network or a mixture of networks. */
export interface ExplainedTrees {
  readonly model: DensityModel;
  readonly names: readonly string[] | null;
  readonly dimensions: number;
  readonly specification: Network['specification'];
  readonly networks: readonly Network[];
  gains(heldOut: HeldOutRows): Gains;
  /** Shares by column; of what `gains` finds to be noise none. */
  importanceOf(column: number, gains: Gains | undefined): Float64Array;
}

/** Null of a model that is neither a network nor a mixture of networks. */
export function explainedTrees(model: DensityModel): ExplainedTrees | null {
  const members = model instanceof Mixture ? model.members : [model];
  if (!members.every((member) => member instanceof Network)) return null;
  return model instanceof Mixture ? ofMixture(model, members) : ofNetwork(members[0]!);
}

function ofNetwork(network: Network): ExplainedTrees {
  const { names, dimensions, specification } = network;
  return {
    model: network,
    names,
    dimensions,
    specification,
    networks: [network],
    gains: (heldOut) => {
      const whole = network.gains(heldOut);
      return { whole, members: [whole] };
    },
    importanceOf: (column, gains) => network.importanceOf(column, gains?.whole),
  };
}

function ofMixture(model: Mixture, networks: readonly Network[]): ExplainedTrees {
  const { names, dimensions, specification, weights } = model;
  return {
    model,
    names,
    dimensions,
    specification,
    networks,
    gains: (heldOut) => {
      const members = networks.map((network) => network.gains(heldOut));
      return { whole: mixedGains(members, weights), members };
    },
    importanceOf: (column, gains) => {
      const shares = new Float64Array(dimensions);
      if (gains?.whole.beyondNoise[column] === 0) return shares;
      networks.forEach((network, m) => {
        const own = network.importanceOf(column, gains?.members[m]);
        own.forEach((share, other) => {
          shares[other]! += weights[m]! * share;
        });
      });
      const total = sumOf(shares);
      return total > 0 ? shares.map((share) => share / total) : shares;
    },
  };
}

/**
 * The members' likelihood ratios of a column, averaged by weight, are such a ratio again (held-out-gain.ts of the
 * model), so that the evidence of many members needs to reach no more than that of one. The gain is the members' mean.
 */
function mixedGains(members: readonly HeldOutGains[], weights: Float64Array): HeldOutGains {
  const { rows, needed, gain } = members[0]!;
  const evidence = gain.map((_, column) =>
    logSumExp(members.map((own, m) => log(weights[m]!) + own.evidence[column]!)),
  );
  return {
    rows,
    needed,
    gain: gain.map((_, column) => members.reduce((sum, own, m) => sum + weights[m]! * own.gain[column]!, 0)),
    evidence,
    beyondNoise: Uint8Array.from(evidence, (value) => (value >= needed ? 1 : 0)),
  };
}
