import { parseContract } from '@orchard/contracts';
import { chooseEdges, chowLiuForest, forestOf } from '@orchard/forests';
import type { JsonValue } from '@orchard/model';
import { countPairs, SmoothedPairs } from '@orchard/pairs';
import { computationsOfOneTask, likelihoodsOf, PipelineError, type Run, type Splits } from '@orchard/pipeline';
import { ChowLiu } from './chow-liu-model.js';
import { chowLiuSpecificationSchema } from './chow-liu-run.js';
import { sectionsOf } from './tree-section.js';

/** Counts of all pairs of more columns would take more than 256 MiB. */
export const MOST_COLUMNS = 8192;

/** The tree of the training rows; of validation rows only the threshold is asked. @throws PipelineError `bad-request` for too many columns */
export function chowLiuOf(run: Run, splits: Splits): ChowLiu {
  const { pseudoCount, forest } = parseContract(chowLiuSpecificationSchema, run.specification, 'run specification');
  const { train, valid } = splits;
  requireFewColumns(train.dimensions);
  const pairs = new SmoothedPairs(countPairs(train), pseudoCount);
  const columns = Uint32Array.from({ length: train.dimensions }, (_, column) => column);
  let made = chowLiuForest(pairs, columns);
  if (forest) {
    const { parents } = chooseEdges(made, pairs, countPairs(valid));
    const information = made.information.map((nats, column) => (parents[column]! < 0 ? 0 : nats));
    made = { forest: forestOf(pairs, columns, parents), information };
  }
  const { dimensions, names, shape } = train;
  const specification = { runId: run.id, ...run.specification } as JsonValue;
  const head = { dimensions, names, shape, specification };
  const bare = new ChowLiu({ ...head, ...made, likelihoods: { train: null, valid: null, test: null } });
  return new ChowLiu({ ...head, ...made, likelihoods: likelihoodsOf(bare, splits) });
}

/** @throws PipelineError `bad-request` */
export function requireFewColumns(dimensions: number): void {
  if (dimensions <= MOST_COLUMNS) return;
  throw new PipelineError('bad-request', {
    got: `${String(dimensions)} columns`,
    expected: `at most ${String(MOST_COLUMNS)}, whose pairs are counted in memory`,
    where: 'train split',
    remedy: 'Leave columns out, or use another model (lbarn, marginals).',
  });
}

export const computations = computationsOfOneTask(chowLiuOf, sectionsOf);
