/** What a run has cost, as lists of runs have it. */
export interface CostOfRun {
  readonly threadSeconds: number;
  /** False where a part was computed unseen. */
  readonly isWhole: boolean;
  /** Null where it is not known. */
  readonly storedBytes: number | null;
}

interface RunWithCost {
  readonly submittedBy?: string | undefined;
  readonly cost?: CostOfRun | undefined;
}

/** The costs of the runs that one person submitted. */
export interface CostOfPerson {
  readonly cost: CostOfRun;
  readonly runs: number;
  /** Runs whose cost is not known: the sums are without them. */
  readonly unknown: number;
}

/** By the name of who submitted them; empty where that is not known. In the order in which people come first. */
export function costsOfPeople(runs: readonly RunWithCost[]): ReadonlyMap<string, CostOfPerson> {
  const none: CostOfPerson = { cost: { threadSeconds: 0, isWhole: true, storedBytes: 0 }, runs: 0, unknown: 0 };
  const people = new Map<string, CostOfPerson>();
  for (const { submittedBy = '', cost } of runs) {
    const before = people.get(submittedBy) ?? none;
    const { threadSeconds, isWhole, storedBytes } = cost ?? none.cost;
    people.set(submittedBy, {
      cost: {
        threadSeconds: before.cost.threadSeconds + threadSeconds,
        isWhole: before.cost.isWhole && isWhole,
        storedBytes: (before.cost.storedBytes ?? 0) + (storedBytes ?? 0),
      },
      runs: before.runs + 1,
      unknown: before.unknown + (cost === undefined ? 1 : 0),
    });
  }
  return people;
}
