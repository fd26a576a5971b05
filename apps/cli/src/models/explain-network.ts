import { NOISE_CHANCE, type HeldOutGains } from '@orchard/model';
import type { Explanation } from '../documents/importance-document.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { dimensionOf } from '../rows/name-of-dimension.js';
import { explainColumns } from './explain-columns.js';
import { requireExplained, type ExplainedModel } from './explained-model.js';
import { judgeNetwork, type JudgedNetwork } from './judge-network.js';
import type { LoadedNetwork } from './load-network.js';

export interface ExplainNetworkOptions extends DatasetOptions {
  readonly dimension?: string;
  readonly top: number;
}

/** What each column of 0 and 1 is predicted from by trees, and whether that is beyond noise. */
export async function explainNetwork(
  loaded: LoadedNetwork,
  path: string,
  data: string | undefined,
  options: ExplainNetworkOptions,
  terminal: Terminal,
): Promise<Explanation> {
  const network = requireExplained(loaded);
  const { names, dimensions, model } = network;
  const { dimension, top } = options;
  const order = Array.from(network.ordering);
  const wanted = dimension === undefined ? order : [dimensionOf(dimension, '--dimension', dimensions, names)];
  const judged = await judgeNetwork(path, data, network, options, terminal);
  const sharesOf = (index: number): Float64Array => network.importanceOf(index, judged?.gains);
  const explained = explainColumns({
    model,
    wanted,
    top,
    sharesOf,
    unseen: judged?.unseen ?? null,
    split: judged?.judgedBy.split ?? null,
    gainOf: (index) => {
      if (judged === null) return null;
      const { gain, beyondNoise } = judged.gains.whole;
      return { gain: gain[index]!, beyondNoise: beyondNoise[index] === 1 };
    },
  });
  return {
    names,
    ...explained,
    judgedBy: judged?.judgedBy ?? null,
    order,
    sharesOf,
    irrelevant: irrelevantOf(network, judged),
    judgement: judgementOf(judged, network),
  };
}

/** How it was judged, for people. */
function judgementOf(judged: JudgedNetwork | null, { dimensions, networks }: ExplainedModel): string {
  if (judged === null) {
    return (
      'Not judged: there are no held-out rows here. Trees split on noise too, so shares of noise are among these. ' +
      'Give rows that the network was not trained on: orchard importance NETWORK DATA' +
      (networks.length === 1 ? '' : ' (all rows of its run but test rows have trained some member).')
    );
  }
  const { gains, judgedBy } = judged;
  const { split, rows, beforeRefit, rates, neededEvidence } = judgedBy;
  const found = gains.whole.beyondNoise.filter((flag) => flag === 1).length;
  const which = split === 'data' ? 'of DATA' : split === 'test' ? 'of the test split' : 'of validation';
  const chose = split === 'validation' ? ' (they chose the rounds, which is allowed for)' : '';
  return (
    `Gains are nats per row on ${counted(rows, 'row')} ${which}${chose}, over each column's rate in ${rates === 'training rows' ? 'the training rows' : rates === 'the held-out rows' ? 'these very rows' : 'the training rows, as the network starts from it'}` +
    `${beforeRefit ? '; of the network before its refit or second training, which has seen these rows' : ''}.\n` +
    `${count(found)} of ${counted(dimensions, 'column')} ${found === 1 ? 'is' : 'are'} predicted beyond noise: by ${neededEvidence.toFixed(1)} nats in all rows together over the best single rate, which even one of ${count(dimensions)} ` +
    `independent columns would reach in at most one of ${String(Math.round(1 / NOISE_CHANCE))} networks. A small share within a column is not evidence of its own.` +
    (networks.length === 1
      ? ''
      : ` Gains and shares are means over ${counted(networks.length, 'member')}, whose orderings differ.`)
  );
}

/**
 * Stored columns that no conditional splits on; where the conditional was judged, also those that predict no better
 * than noise.
 */
function irrelevantOf(network: ExplainedModel, judged: JudgedNetwork | null): number[] {
  const used = new Set<number>();
  network.networks.forEach(({ ensembles, ordering }, m) => {
    ensembles.forEach(({ splitPredictor }, position) => {
      const isNoise = (gains: HeldOutGains | undefined): boolean => gains?.beyondNoise[ordering[position]!] === 0;
      if (isNoise(judged?.gains.whole) || isNoise(judged?.gains.members[m])) return;
      for (const predictor of splitPredictor) used.add(ordering[predictor]!);
    });
  });
  return Array.from({ length: network.dimensions }, (_, dim) => dim).filter((dim) => !used.has(dim));
}
