import type { DensityModel } from '@orchard/model';
import type { ChowLiu } from './chow-liu-model.js';

/** The tree, drawn: what only this family has to show. */
export async function sectionsOf(model: DensityModel): Promise<readonly string[]> {
  // the drawing libraries take longer to load than the tree to make
  const { columnTreeSection } = await import('@orchard/report');
  const { parents, information, names, shape } = model as ChowLiu;
  return [columnTreeSection({ parents, information, names, shape })];
}
