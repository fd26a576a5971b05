import { codeCount, type BitMatrix } from '@orchard/dataset';
import {
  checkWhole,
  ExactTableModel,
  NumberArray,
  type BodyArrays,
  type ModelBody,
  type ModelHead,
  type ModelSummary,
} from '@orchard/model';
import { greatestOf, sumOf } from '@orchard/numerics';
import { CodeForest, groupsOf, type ForestVariable } from '../code-forest.js';
import { piecesOf } from '../pieces-of.js';
import { chowLiuFamily, contradiction } from './chow-liu-family.js';
import { irrelevantIn, neighboursShares, summaryOfForest } from './edges.js';

type Table = NonNullable<ModelHead['table']>;

/** What a model of a table is made of. */
export interface ChowLiuTableParts extends Pick<ModelHead, 'specification' | 'likelihoods'> {
  readonly table: Table;
  /** Of all variables, in stored order. */
  readonly forest: CodeForest;
  /**
   * What the edge to its parent tells of a variable, nats per row, of rows left out of the counts (in files of before
   * that I(variable; its parent) of their groups); 0 of roots.
   */
  readonly information: Float64Array;
}

/**
 * A tree of a table's variables, or a forest, by groups of their values (`CodeForest`). Any question is answered
 * exactly.
 */
export class ChowLiuTable extends ExactTableModel {
  readonly family = chowLiuFamily;
  readonly information: Float64Array;
  /** Of each variable, -1 of a root. */
  readonly parents: Int32Array;
  readonly forest: CodeForest;

  constructor({ forest, information, ...head }: ChowLiuTableParts) {
    super(head);
    this.forest = forest;
    this.information = information;
    this.parents = Int32Array.from(forest.variables, ({ parent }) => parent);
  }

  /** Groups of values of each variable that the edges distinguish. */
  get groups(): Uint32Array {
    return Uint32Array.from(this.forest.variables, groupsOf);
  }

  protected get distribution(): CodeForest {
    return this.forest;
  }

  jointOfRows(matrix: BitMatrix): (index: number) => Float64Array {
    return this.forest.jointOfRows(this.codesByVariable(matrix));
  }

  /** The neighbours' shares in what a variable's edges tell: its predictors, all of them. */
  importanceOf(index: number): Float64Array {
    checkWhole('variable', index, 0, this.variables - 1);
    return neighboursShares(this, index);
  }

  /** Those without an edge. */
  irrelevantVariables(): Uint32Array {
    return irrelevantIn(this.parents);
  }

  summary(): ModelSummary {
    const most = greatestOf(this.groups);
    return summaryOfForest(this, 'variables', [
      ['groups', `edges tell up to ${String(most)} groups of a variable's values apart`],
      ['entropy', `${this.forest.entropy().toFixed(3)} nats per row, of codes`],
    ]);
  }

  protected body(): BodyArrays {
    const { variables } = this.forest;
    return {
      parents: NumberArray.ofIntegers([Uint32Array.from(variables, ({ parent }) => parent + 1)]),
      groups: NumberArray.ofIntegers(variables.map(({ groupOf }) => Uint32Array.from(groupOf))),
      within: NumberArray.ofFloats(variables.map(({ within }) => within)),
      given: NumberArray.ofFloats(variables.map(({ given }) => given)),
      information: NumberArray.ofFloats([this.information]),
    };
  }
}

/** @throws ModelError where the arrays contradict the table or each other */
export function readChowLiuTable(head: ModelHead, table: Table, body: ModelBody): ChowLiuTable {
  body.requireOnly(['parents', 'groups', 'within', 'given', 'information']);
  const count = table.variables.length;
  const sizes = table.variables.map(codeCount);
  const codes = sumOf(sizes);
  const parents = Int32Array.from(body.integers('parents', count), (parent) => parent - 1);
  if (parents.some((parent) => parent >= count)) throw contradiction('parents', 'a parent that is not a variable');
  const groups = piecesOf(Uint16Array.from(body.integers('groups', codes)), sizes);
  if (groups.some((own, index) => own.some((group) => group >= sizes[index]!)))
    throw contradiction('groups', 'more groups than values');
  const within = piecesOf(body.floats('within', codes), sizes);
  const widths = groups.map((groupOf) => groupsOf({ groupOf }));
  const cells = widths.map((width, index) => width * (parents[index]! < 0 ? 1 : widths[parents[index]!]!));
  const all = sumOf(cells);
  const given = piecesOf(body.floats('given', all), cells);
  const information = body.floats('information', count);
  if (!information.every((nats) => Number.isFinite(nats))) throw contradiction('information', 'a number that is none');
  const variables = sizes.map((_, index): ForestVariable => ({
    parent: parents[index]!,
    groupOf: groups[index]!,
    within: within[index]!,
    given: given[index]!,
  }));
  try {
    return new ChowLiuTable({ ...head, table, forest: new CodeForest(variables), information });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw contradiction('given', cause.message, cause);
  }
}
