/** What is kept of runs that have ended; null where a rule is not asked for. */
export interface RetentionRules {
  /** Since the run ended. */
  readonly keepSeconds: number | null;
  readonly lastOfPerson: number | null;
  /** By the runs of a person, without their data sets. */
  readonly bytesOfPerson: number | null;
}

/** A run, as far as the rules ask. */
export interface RetainedRun {
  readonly run: string;
  /** As `personOf` says; null where it is not known who submitted it. */
  readonly person: string | null;
  /** In milliseconds since 1970; null of one that has not ended. */
  readonly endedAt: number | null;
  readonly bytes: number;
  readonly isPinned: boolean;
}

export interface Expired {
  readonly run: string;
  /** A sentence's end: "it ended more than 90 days ago". */
  readonly why: string;
}

const DAY = 86_400;

/**
 * The runs that the rules do not keep, the oldest first. None of them is open or pinned. Rules by person say nothing of
 * a run whose submitter is not known, and the newest run of a person stays however large it is: what was just trained
 * is there to be fetched.
 */
export function expiredRuns(all: readonly RetainedRun[], rules: RetentionRules, now: number): readonly Expired[] {
  const { keepSeconds, lastOfPerson, bytesOfPerson } = rules;
  const expired = new Map<string, string>();
  const newestFirst = [...all].sort((a, b) => timeOf(b) - timeOf(a) || (a.run < b.run ? -1 : 1));
  const kept = new Map<string, { runs: number; bytes: number }>();
  for (const { person, bytes, endedAt, isPinned } of all) {
    // what no rule may take counts before all else
    if (person === null || (endedAt !== null && !isPinned)) continue;
    const own = kept.get(person) ?? { runs: 0, bytes: 0 };
    kept.set(person, { runs: own.runs, bytes: own.bytes + bytes });
  }
  for (const { run, person, endedAt, bytes, isPinned } of newestFirst) {
    if (endedAt === null || isPinned) continue;
    if (keepSeconds !== null && endedAt < now - keepSeconds * 1000) {
      expired.set(run, `it ended more than ${String(keepSeconds / DAY)} days ago`);
      continue;
    }
    if (person === null) continue;
    const own = kept.get(person) ?? { runs: 0, bytes: 0 };
    if (lastOfPerson !== null && own.runs >= lastOfPerson)
      expired.set(run, `its submitter has ${String(lastOfPerson)} newer runs`);
    else if (bytesOfPerson !== null && own.runs > 0 && own.bytes + bytes > bytesOfPerson)
      expired.set(run, `with it the newest runs of its submitter take more than ${String(bytesOfPerson)} bytes`);
    else kept.set(person, { runs: own.runs + 1, bytes: own.bytes + bytes });
  }
  return newestFirst.reverse().flatMap(({ run }) => {
    const why = expired.get(run);
    return why === undefined ? [] : [{ run, why }];
  });
}

/** When the rules no longer keep a run, in milliseconds since 1970, and why. */
export interface Deletion {
  readonly at: number;
  readonly why: string;
}

/**
 * Of every run that the rules do not keep for ever, as far as is known now: how soon a person has newer runs is not
 * known, so rules by person say only what they would take at once.
 */
export function deletionsAhead(
  all: readonly RetainedRun[],
  rules: RetentionRules,
  now: number,
): ReadonlyMap<string, Deletion> {
  const { keepSeconds } = rules;
  const ahead = new Map(expiredRuns(all, rules, now).map(({ run, why }) => [run, { at: now, why }]));
  if (keepSeconds === null) return ahead;
  const why = `runs are kept for ${String(keepSeconds / DAY)} days after their end`;
  for (const { run, endedAt, isPinned } of all)
    if (endedAt !== null && !isPinned && !ahead.has(run)) ahead.set(run, { at: endedAt + keepSeconds * 1000, why });
  return ahead;
}

const timeOf = ({ endedAt }: RetainedRun): number => endedAt ?? Infinity;
