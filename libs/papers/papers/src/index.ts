import { boosted } from '@orchard/boosted';
import { compositional } from '@orchard/compositional';
import { partition } from '@orchard/partition';
import type { Family } from '@orchard/pipeline';

/**
 * Kinds of models that are here for their papers: on most sets that were measured another one is likelier, answers as
 * much exactly and takes no longer (`apps/docs/models.md` has the figures). Sets of a hundred rows are exceptions.
 */
export const families: readonly Family[] = [boosted, compositional, partition];
