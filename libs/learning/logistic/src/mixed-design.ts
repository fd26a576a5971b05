import { designOf } from './design.js';
import type { SortedRows } from './sorted-rows.js';

/**
 * What parts of each row components have: those of row r at `starts[r]` to before `starts[r + 1]`, components
 * ascending.
 */
export interface RowShares {
  readonly components: number;
  readonly starts: Uint32Array;
  readonly componentOf: Uint32Array;
  /** Positive. */
  readonly shares: Float64Array;
}

/**
 * A target and its predictors, as `Design`, of rows that are shared out among components: those of one component with
 * equal predictors are one group, component after component.
 */
export interface MixedDesign {
  readonly predictors: number;
  readonly components: number;
  /** The groups of component h: `firsts[h]` to before `firsts[h + 1]`. */
  readonly firsts: Uint32Array;
  /** Rows of each group, and those whose target is 1: sums of shares. */
  readonly trials: Float64Array;
  readonly ones: Float64Array;
  /**
   * Of predictor j and component h at `j * components + h`: where their list of groups with the rarer value begins, in
   * that component.
   */
  readonly starts: Uint32Array;
  readonly members: Uint32Array;
  /** 1 where the groups of a 1 are listed, -1 where those of a 0 are. */
  readonly signs: Int8Array;
}

export function mixedDesignOf(sorted: SortedRows, target: number, rowShares: RowShares): MixedDesign {
  const { matrix, common } = sorted;
  const { components } = rowShares;
  // equal predictors of all rows together, and of each which are 1
  const whole = designOf(sorted, target);
  const distinct = whole.trials.length;
  const isOne = new Uint8Array(distinct * target);
  for (let column = 0; column < target; column++) {
    const isListed = whole.signs[column] === 1 ? 1 : 0;
    if (isListed === 0) for (let group = 0; group < distinct; group++) isOne[group * target + column] = 1;
    for (let at = whole.starts[column]!; at < whole.starts[column + 1]!; at++)
      isOne[whole.members[at]! * target + column] = isListed;
  }

  // rows of equal predictors lie side by side: a component's groups come in their order
  const groupsOf: number[][] = Array.from({ length: components }, () => []);
  const trialsOf: number[][] = Array.from({ length: components }, () => []);
  const onesOf: number[][] = Array.from({ length: components }, () => []);
  for (let row = 0, group = -1; row < matrix.rows; row++) {
    if (row === 0 || common[row]! < target) group++;
    const bit = matrix.get(row, target);
    for (let at = rowShares.starts[row]!; at < rowShares.starts[row + 1]!; at++) {
      const h = rowShares.componentOf[at]!;
      const share = rowShares.shares[at]!;
      const [groups, trials, ones] = [groupsOf[h]!, trialsOf[h]!, onesOf[h]!];
      if (groups.at(-1) !== group) {
        groups.push(group);
        trials.push(0);
        ones.push(0);
      }
      trials[trials.length - 1]! += share;
      ones[ones.length - 1]! += share * bit;
    }
  }
  const firsts = new Uint32Array(components + 1);
  groupsOf.forEach((groups, h) => {
    firsts[h + 1] = firsts[h]! + groups.length;
  });

  const starts = new Uint32Array(target * components + 1);
  const signs = new Int8Array(target * components);
  const counts = new Uint32Array(target * components);
  groupsOf.forEach((groups, h) => {
    for (const group of groups)
      for (let column = 0; column < target; column++)
        counts[column * components + h]! += isOne[group * target + column]!;
  });
  counts.forEach((count, at) => {
    const all = groupsOf[at % components]!.length;
    signs[at] = 2 * count > all ? -1 : 1;
    starts[at + 1] = starts[at]! + Math.min(count, all - count);
  });
  const members = new Uint32Array(starts.at(-1)!);
  const ends = starts.slice();
  groupsOf.forEach((groups, h) => {
    groups.forEach((group, place) => {
      for (let column = 0; column < target; column++) {
        const at = column * components + h;
        if (isOne[group * target + column] === (signs[at] === 1 ? 1 : 0)) members[ends[at]!++] = firsts[h]! + place;
      }
    });
  });
  return {
    predictors: target,
    components,
    firsts,
    trials: Float64Array.from(trialsOf.flat()),
    ones: Float64Array.from(onesOf.flat()),
    starts,
    members,
    signs,
  };
}
