import { tablePresets, tableSizeOf, type TablePreset } from '@orchard/contracts';
import type { TablesWords } from './tables-run.js';

/**
 * The words with those of their preset where they say nothing. Where they say how members are made, `default` adds
 * the start alone, nor does it mix members where they say the ordering of one model.
 *
 * @param rows of training and validation together
 */
export function withTablePreset(said: TablesWords, rows: number): TablesWords {
  const given: TablesWords = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const { preset = 'default', members, ordering, orderings, folds } = given;
  const usual: TablePreset = tablePresets[preset][tableSizeOf(rows)];
  const saysMembers = [members, orderings, folds].some((word) => word !== undefined);
  const isOneModel = usual.members !== undefined && ordering !== undefined;
  const isByWords = preset === 'default' && (saysMembers || isOneModel);
  return { ...(isByWords ? { start: usual.start } : usual), ...given };
}
