import { damagedRecord, unknownRun } from './errors.js';
import { lifeOf, type Life, type Mark } from './lifecycle.js';

export const marksPrefix = 'marks/';
const digits = 6;

/** Where a mark is stored: names in the order of numbers. */
export function markName(run: string, number: number): string {
  return `${marksPrefix}${run}/${String(number).padStart(digits, '0')}`;
}

/** All that was decided about a run, or what is wrong with the record of it. */
export interface History {
  /** Null where the run was never submitted, or where something is wrong. */
  readonly life: Life | null;
  /** How many marks there are: the number of the next. */
  readonly marks: number;
  /** What cannot be read, in a sentence; null where all is well. */
  readonly damage: string | null;
  /** When the last mark was made, ISO 8601. */
  readonly lastAt: string | null;
  /** When the run was submitted, though it was removed since; null where that is not known. */
  readonly bornAt: string | null;
}

/** @throws RunError `unknown-run`, `damaged-record` */
export function lifeIn(run: string, { life, damage }: History): Life {
  if (damage !== null) throw damagedRecord(run, damage);
  if (life === null) throw unknownRun(run);
  return life;
}

/** @param found the marks of a run by number, ascending; a sentence instead of one that cannot be read */
export function historyOf(run: string, found: readonly (readonly [number: number, mark: Mark | string])[]): History {
  const marks: [number, Mark][] = [];
  let damage: string | null = null;
  // a submission that says what the run is begins a life: what was before, forgotten or not, is over
  const birth = found.findLastIndex(([, mark]) => typeof mark !== 'string' && isBirth(mark));
  const known = found.slice(Math.max(0, birth));
  // what `forget` has begun: of a run that was removed the first marks go first
  const isWhole = birth >= 0 || known.some(([, mark]) => typeof mark !== 'string' && mark.kind === 'removed');
  let next = isWhole ? known[0]![0] : 0;
  for (const [number, mark] of known) {
    if (number !== next) damage ??= `Mark ${markName(run, next)} is missing.`;
    if (typeof mark === 'string') damage ??= mark;
    else marks.push([number, mark]);
    next = number + 1;
  }
  const lastAt = marks.at(-1)?.[1].at ?? null;
  const first = marks[0]?.[1];
  const bornAt = first !== undefined && isBirth(first) ? first.at : null;
  return { life: damage === null ? lifeOf(marks) : null, marks: next, damage, lastAt, bornAt };
}

export function isUnderWay({ life }: History): boolean {
  return life?.standing === 'open' || life?.standing === 'deleting';
}

/** Only where there was no life does a submission carry the specification. */
function isBirth(mark: Mark): boolean {
  return mark.kind === 'submit' && mark.specification !== null;
}
