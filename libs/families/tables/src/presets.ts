import { presets, tablePresets, tableSizeOf, type TablePreset } from '@orchard/contracts';
import type { TablesWords } from './tables-run.js';

/**
 * The words with those of their preset where they say nothing. Where they say the ordering of one model, `default`
 * mixes no members, and where they say orderings of several, as many as these. Smaller steps than those of the preset
 * have the patience of small steps.
 *
 * @param rows of training and validation together
 */
export function withTablePreset(said: TablesWords, rows: number): TablesWords {
  const given: TablesWords = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const { preset = 'default', ordering, orderings } = given;
  const { members, alone, ...usual }: TablePreset = tablePresets[preset][tableSizeOf(rows)];
  const isByOrder = preset === 'default' && (ordering ?? orderings) !== undefined;
  const mixed = isByOrder ? (orderings?.length ?? 1) : members;
  const isAlone = (given.members ?? mixed) === 1;
  const isSmaller = usual.shrinkage !== undefined && (given.shrinkage ?? usual.shrinkage) < usual.shrinkage;
  return {
    ...usual,
    ...(isAlone && alone),
    ...(isSmaller && { patience: presets.default.patience }),
    ...(members !== undefined && !isByOrder && { members }),
    ...given,
  };
}
