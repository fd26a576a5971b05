import { columnsIn } from '@orchard/dataset';
import type { ChowLiu, ChowLiuTable } from '@orchard/forests';
import type { DensityModel } from '@orchard/model';

/** The tree, drawn: what only this family has to show. */
export async function sectionsOf(model: DensityModel): Promise<readonly string[]> {
  // the drawing libraries take longer to load than the tree to make
  const { columnTreeSection } = await import('@orchard/report');
  const { parents, information, shape } = model as ChowLiu | ChowLiuTable;
  return [columnTreeSection({ parents, information, names: columnsIn(model).names, shape })];
}
