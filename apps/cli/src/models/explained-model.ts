import { logSumExp, Mixture } from '@orchard/members';
import { Network, type DensityModel, type HeldOutGains, type HeldOutRows } from '@orchard/model';
import { log } from '@orchard/numerics';
import { requireNetwork, type LoadedNetwork } from './load-network.js';

/** What is judged on held-out rows: the whole, and of a mixture its members, each by its own conditionals. */
export interface Gains {
  readonly whole: HeldOutGains;
  readonly members: readonly HeldOutGains[];
}

/** A model whose columns are predicted by trees: a network or a mixture of networks. */
export interface ExplainedModel {
  readonly model: DensityModel;
  readonly names: readonly string[] | null;
  readonly dimensions: number;
  readonly specification: Network['specification'];
  /** Columns in the order in which they are listed: of a mixture as stored, since its members differ. */
  readonly ordering: Uint32Array;
  readonly networks: readonly Network[];
  gains(heldOut: HeldOutRows): Gains;
  /** Shares by column; of what `gains` finds to be noise none. */
  importanceOf(column: number, gains: Gains | undefined): Float64Array;
}

/** @throws UsageError for a model that is not of trees */
export function requireExplained(loaded: LoadedNetwork): ExplainedModel {
  const { network } = loaded;
  if (network instanceof Mixture && network.members.every((member) => member instanceof Network))
    return ofMixture(network, network.members);
  return ofNetwork(requireNetwork(loaded).network);
}

function ofNetwork(network: Network): ExplainedModel {
  const { names, dimensions, specification, ordering } = network;
  return {
    model: network,
    names,
    dimensions,
    specification,
    ordering,
    networks: [network],
    gains: (heldOut) => {
      const whole = network.gains(heldOut);
      return { whole, members: [whole] };
    },
    importanceOf: (column, gains) => network.importanceOf(column, gains?.whole),
  };
}

function ofMixture(model: Mixture, networks: readonly Network[]): ExplainedModel {
  const { names, dimensions, specification, weights } = model;
  return {
    model,
    names,
    dimensions,
    specification,
    networks,
    ordering: Uint32Array.from({ length: dimensions }, (_, column) => column),
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
      const total = shares.reduce((sum, share) => sum + share, 0);
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
