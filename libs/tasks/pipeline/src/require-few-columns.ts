import { PipelineError } from './errors.js';

/** @param most columns whose pairs a family can count in memory @throws PipelineError `bad-request` */
export function requireFewColumns(dimensions: number, most: number): void {
  if (dimensions <= most) return;
  throw new PipelineError('bad-request', {
    got: `${String(dimensions)} columns`,
    expected: `at most ${String(most)}, whose pairs are counted in memory`,
    where: 'train split',
    remedy: 'Leave columns out, or use another model (lbarn, marginals).',
  });
}
