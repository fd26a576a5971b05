import { valuesOf, type Texts } from '@orchard/dataset';
import {
  PARTICLES_UNDER_RULES,
  usualParticles,
  type Completion,
  type RuledRows,
  type TabularModel,
} from '@orchard/model';
import { seedBehind } from '@orchard/numerics';
import type { CompletionsAsked } from './completions-of.js';
import type { RowFiller } from './row-filler.js';
import type { RowsToFill } from './rows-to-fill.js';

/** Completions of rows, and what they are in words. */
export interface SampledFills {
  readonly completions: readonly Completion[];
  textsOf(draw: number): Texts;
}

/** Particles for each row unless they are said. @param pointDraws completions that points are made of; 0 for samples */
export function particlesFor(model: TabularModel, ruled: RuledRows | null, pointDraws = 0): number {
  return ruled === null ? usualParticles(model) : Math.max(PARTICLES_UNDER_RULES, 4 * pointDraws);
}

/** Samples each missing value, under rules where there are any: draw d of a seed is the first one of seed + d. */
export async function sampleFills(filler: RowFiller, rows: RowsToFill, asked: CompletionsAsked): Promise<SampledFills> {
  const { model, rules } = filler;
  const { values, firstRow } = rows;
  const completions = await filler.completions(rows, asked);
  return {
    completions,
    textsOf(draw) {
      const { matrix: codes } = completions[draw]!;
      const seed = seedBehind(asked.seed, draw);
      return (
        rules?.ruled.wordsOf(codes, seed, firstRow, rows) ??
        valuesOf(codes, model.table, seed, new Map(), values, firstRow)
      );
    },
  };
}
