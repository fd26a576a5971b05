/** What the terms of a variable in a forest are made of: P(code) = P(group | the parent's group) P(code | group). */
export interface VariableTerms {
  /** -1 of a root. */
  readonly parent: number;
  /** The group of each code. */
  readonly groupOf: Uint16Array;
  readonly groups: number;
  /** P(code | its group). */
  readonly within: Float64Array;
  /** Element `parent's group * groups + group`; of a root one line. */
  readonly logGiven: Float64Array;
  readonly logWithin: Float64Array;
}

/**
 * log P(code, all other codes of a row) of each code of a variable, nats: element `row * codes + code`. A code changes
 * the terms of the variable and of its children alone; terms are added in the order of the variables, and once for all
 * codes that change them alike.
 *
 * @param cells the terms of the rows as they are: element `row * variables + variable`
 * @param columns the codes of each variable, by row
 */
export function jointByTerms(
  variables: readonly VariableTerms[],
  cells: Float64Array,
  columns: readonly Uint16Array[],
): (index: number) => Float64Array {
  const rows = columns[0]?.length ?? 0;
  return (index) => {
    const codes = variables[index]!.groupOf.length;
    const { firsts, places } = alikeCodes(variables[index]!);
    const sums = new Float64Array(firsts.length);
    const joint = new Float64Array(rows * codes);
    for (let row = 0; row < rows; row++) {
      sums.fill(0);
      for (let other = 0; other < variables.length; other++) {
        if (other === index || variables[other]!.parent === index) {
          for (let at = 0; at < sums.length; at++)
            sums[at]! += termOf(variables, other, columns, row, index, firsts[at]!);
        } else {
          const nats = cells[row * variables.length + other]!;
          for (let at = 0; at < sums.length; at++) sums[at]! += nats;
        }
      }
      for (let code = 0; code < codes; code++) joint[row * codes + code] = sums[places[code]!]!;
    }
    return joint;
  };
}

/** What a row has of one variable, were it to have another code of a variable, nats. */
function termOf(
  variables: readonly VariableTerms[],
  of: number,
  columns: readonly Uint16Array[],
  row: number,
  index: number,
  code: number,
): number {
  const { parent, groupOf, groups, logGiven, logWithin } = variables[of]!;
  const own = of === index ? code : columns[of]![row]!;
  const above = parent === index ? code : parent < 0 ? 0 : columns[parent]![row]!;
  const line = parent < 0 ? 0 : variables[parent]!.groupOf[above]!;
  return logGiven[line * groups + groupOf[own]!]! + logWithin[own]!;
}

/** Codes of a group that are as likely within it: the first of each, and of every code the place of its own. */
function alikeCodes({ groupOf, within }: VariableTerms): {
  readonly firsts: readonly number[];
  readonly places: Uint16Array;
} {
  const firsts: number[] = [];
  const places = new Uint16Array(groupOf.length);
  const placesOf = new Map<number, Map<number, number>>();
  groupOf.forEach((group, code) => {
    const ofGroup = placesOf.get(group) ?? new Map<number, number>();
    placesOf.set(group, ofGroup);
    let place = ofGroup.get(within[code]!);
    if (place === undefined) {
      place = firsts.push(code) - 1;
      ofGroup.set(within[code]!, place);
    }
    places[code] = place;
  });
  return { firsts, places };
}
