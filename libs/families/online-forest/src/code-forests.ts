import { CodeForest, type ForestVariable } from '@orchard/forests';
import { log } from '@orchard/numerics';
import { CodePairs } from './code-pairs.js';
import type { OnlineStream } from './online-files.js';
import { forestParents } from './rooted-tree.js';

/** A forest of a stream of categories, with I(column; its parent) in nats, 0 of roots. */
export interface ForestOfCodes {
  readonly forest: CodeForest;
  readonly information: Float64Array;
}

/**
 * The forests of a stream of categories as they are now, each pair's probabilities by `CodePairs` from all rows:
 * every value is a group of its own.
 */
export function codeForestsOf({ forest: stream }: OnlineStream): readonly ForestOfCodes[] {
  const { pairs } = stream;
  if (!(pairs instanceof CodePairs)) throw new Error('a stream of 0 and 1 has no codes');
  return stream.state.trees.map(({ tree }) => {
    const parents = forestParents(tree);
    const variables = Array.from(parents, (parent, column): ForestVariable => {
      const margin = pairs.margin(column);
      return {
        parent,
        groupOf: Uint16Array.from(margin.keys()),
        within: new Float64Array(margin.length).fill(1),
        given: parent < 0 ? margin : pairs.given(column, parent),
      };
    });
    const information = Float64Array.from(parents, (parent, column) =>
      parent < 0 ? 0 : told(pairs.margin(parent), pairs.margin(column), variables[column]!.given),
    );
    return { forest: new CodeForest(variables), information };
  });
}

/** Σ P(v) P(u | v) log (P(u | v) / P(u)). */
function told(lines: Float64Array, margin: Float64Array, given: Float64Array): number {
  return given.reduce((sum, share, cell) => {
    const line = Math.floor(cell / margin.length);
    return sum + lines[line]! * share * log(share / margin[cell % margin.length]!);
  }, 0);
}
