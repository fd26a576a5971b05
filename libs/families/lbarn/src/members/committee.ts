import { Network, roundedEnsemble, type Ensemble } from '@orchard/model';
import { exp, log } from '@orchard/numerics';

/**
 * Networks in one ordering as one: in each conditional the mean of their log-odds, which is all their trees side by
 * side, factors to the power 1 / networks. What it is called and what it is worth is the caller's to say.
 */
export function committeeOf(
  networks: readonly Network[],
  { specification, likelihoods }: Pick<Network, 'specification' | 'likelihoods'>,
): Network {
  const { ordering, names, shape, ensembles } = networks[0]!;
  const together = ensembles.map((_, position) =>
    roundedEnsemble(averaged(networks.map((network) => network.ensembles[position]!))),
  );
  return new Network({ ordering, names, shape, ensembles: together, specification, likelihoods });
}

function averaged(ensembles: readonly Ensemble[]): Ensemble {
  const count = ensembles.length;
  const logStart = ensembles.reduce((sum, { startOdds }) => sum + log(startOdds), 0);
  return {
    startOdds: exp(logStart / count),
    leafCounts: Uint32Array.from(ensembles.flatMap(({ leafCounts }) => [...leafCounts])),
    splitLeaf: Uint32Array.from(ensembles.flatMap(({ splitLeaf }) => [...splitLeaf])),
    splitPredictor: Uint32Array.from(ensembles.flatMap(({ splitPredictor }) => [...splitPredictor])),
    splitGain: Float64Array.from(ensembles.flatMap(({ splitGain }) => [...splitGain])),
    leafFactor: Float64Array.from(
      ensembles.flatMap(({ leafFactor }) => [...leafFactor]),
      (factor) => exp(log(factor) / count),
    ),
  };
}
