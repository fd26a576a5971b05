import { numberOf } from '@orchard/dataset';
import type { Variable } from '@orchard/contracts';
import type { RulesOfModel } from '../rules/rules-of-model.js';
import type { FilledCell, FillOptions, TableFills } from './fill-options.js';
import { askedOf, filledByDraws, type Asked } from './missing-value.js';
import type { RowFiller } from './row-filler.js';
import { missingCells, type RowsToFill } from './rows-to-fill.js';
import { sampleFills } from './sample-fills.js';

/**
 * Fills in each missing value by one point of completions that follow rules. Where the points of a row break a rule
 * together, the row is filled in by the completion nearest to them: so every row follows the rules that can. Intervals
 * are of each cell by itself, and their points are left as they are.
 * A value that most completions leave missing, since a rule has it so, stays missing.
 */
export async function fillUnderRules(
  filler: RowFiller,
  { rules }: RulesOfModel,
  rows: RowsToFill,
  options: FillOptions,
): Promise<TableFills> {
  const { model } = filler;
  const { seed, samples, draws, interval } = options;
  const askedAt = askedOf(model, options);
  const { variables } = model.table;
  const { firstRow } = rows;
  const missing = missingCells(model, rows);
  const { completions, textsOf } = await sampleFills(filler, rows, { seed, samples, draws, forCells: true });
  const drawn: (string | null)[][] = missing.map(() => []);
  /** What is known, as a row is written. */
  let known: readonly (readonly (string | null)[])[] = [];
  completions.forEach((_, draw) => {
    const texts = textsOf(draw);
    if (draw === 0) known = texts;
    missing.forEach(({ row, index }, at) => drawn[at]!.push(texts[index]![row]!));
  });
  const cells: FilledCell[] = [];
  const moved: number[] = [];
  const left: { row: number; index: number }[] = [];
  for (let from = 0, to = 0; from < missing.length; from = to) {
    const { row } = missing[from]!;
    while (to < missing.length && missing[to]!.row === row) to++;
    const own = missing.slice(from, to);
    const ofDraws = drawn.slice(from, to);
    const asked = own.map(({ index }) => askedAt(index));
    let filled = own.map(({ index }, at) => pointOf(variables[index]!, ofDraws[at]!, asked[at]!));
    const texts = variables.map((_, index) => known[index]![row] ?? null);
    const follows = (words: readonly (string | null)[]): boolean => {
      own.forEach(({ index }, at) => {
        texts[index] = words[at]!;
      });
      return rules.every((rule) => rule.holds(texts));
    };
    if (interval === undefined && !follows(filled.map((one) => one?.value ?? null))) {
      const nearest = nearestDraw(own, ofDraws, filled, variables, (draw) => follows(ofDraws.map((one) => one[draw]!)));
      // a row that breaks a rule by what is known of it keeps its points
      if (nearest !== null) {
        moved.push(firstRow + row);
        filled = ofDraws.map((one) => {
          const value = one[nearest]!;
          return value === null ? null : { value, low: null, high: null, probability: null };
        });
      }
    }
    filled.forEach((one, at) => {
      const place = { row: firstRow + row, index: own[at]!.index };
      if (one === null) left.push(place);
      else cells.push({ ...place, ...one });
    });
  }
  return { cells, completion: completions[0]!, isExact: false, moved, left };
}

/** Null where most completions have no value. */
function pointOf(
  variable: Variable,
  drawn: readonly (string | null)[],
  asked: Asked,
): Omit<FilledCell, 'row' | 'index'> | null {
  const values = drawn.filter((text) => text !== null);
  return 2 * values.length <= drawn.length ? null : filledByDraws(variable, values, asked);
}

/** The completion that follows the rules and is nearest to the points, in spreads of each column; null of none. */
function nearestDraw(
  missing: readonly Pick<FilledCell, 'index'>[],
  drawn: readonly (readonly (string | null)[])[],
  filled: readonly ({ readonly value: string } | null)[],
  variables: readonly Variable[],
  follows: (draw: number) => boolean,
): number | null {
  const distances = new Float64Array(drawn[0]!.length);
  missing.forEach(({ index }, at) => {
    const variable = variables[index]!;
    const point = filled[at]?.value ?? null;
    const numberIn = (text: string | null): number =>
      text === null || variable.kind !== 'ordered' ? NaN : numberOf(text, variable.format);
    const away = drawn[at]!.map((text) => Math.abs(numberIn(text) - numberIn(point)));
    const sizes = away.filter((distance) => !Number.isNaN(distance));
    const spread = sizes.reduce((sum, distance) => sum + distance, 0) / Math.max(1, sizes.length);
    drawn[at]!.forEach((text, draw) => {
      const distance = away[draw]!;
      // labels, and what is missing, are equal or not
      if (Number.isNaN(distance)) distances[draw]! += text === point ? 0 : 1;
      else if (spread > 0) distances[draw]! += (distance / spread) ** 2;
    });
  });
  let nearest: number | null = null;
  distances.forEach((distance, draw) => {
    if ((nearest === null || distance < distances[nearest]!) && follows(draw)) nearest = draw;
  });
  return nearest;
}
