import { NOISE_CHANCE, type HeldOutGains } from '@orchard/model';
import type { DatasetOptions } from '../../options/dataset-options.js';
import { count, counted } from '../../output/figures.js';
import type { Terminal } from '../../output/terminal.js';
import type { JudgedColumns } from './explain-model.js';
import type { ExplainedTrees } from './explained-trees.js';
import { judgeTrees, type JudgedTrees } from './judge-trees.js';

/** Judges the columns of trees of rows of 0 and 1 by all that their run knows of them. */
export async function judgedByTrees(
  trees: ExplainedTrees,
  path: string,
  data: string | undefined,
  options: DatasetOptions,
  terminal: Terminal,
): Promise<JudgedColumns> {
  const judged = await judgeTrees(path, data, trees, options, terminal);
  return {
    judgedBy: judged?.judgedBy ?? null,
    judgement: judgementOf(judged, trees),
    unseen: judged?.unseen ?? null,
    irrelevant: irrelevantOf(trees, judged),
    gainOf: (index) => {
      if (judged === null) return null;
      const { gain, beyondNoise } = judged.gains.whole;
      return { gain: gain[index]!, beyondNoise: beyondNoise[index] === 1 };
    },
    sharesOf: (index) => trees.importanceOf(index, judged?.gains),
  };
}

/** How it was judged, for people. */
function judgementOf(judged: JudgedTrees | null, { dimensions, networks }: ExplainedTrees): string {
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
function irrelevantOf(network: ExplainedTrees, judged: JudgedTrees | null): number[] {
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
