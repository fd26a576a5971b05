import { tablePresets, tableSizeOf, type RowKind } from '@orchard/contracts';

/** Settings that the time of a budget may be spent on. */
export interface Rung {
  /** As people read it, and as options of the command line: `--preset accurate --members 2`. */
  readonly name: string;
  /** The kind of model, where it is not the usual one of such rows, which is trained by other options. */
  readonly model?: string;
  /** What these settings say of it. */
  readonly words: { readonly preset?: 'accurate'; readonly members?: number };
  /** What training takes, in members of `accurate` on such rows; 0 where it is work of another kind. */
  readonly work: number;
  /** Whether the members of the settings before are among its own, so that they are not trained again. */
  readonly extendsLast: boolean;
}

/** A rung, and what its training took. */
export interface TrainedRung {
  readonly rung: Rung;
  readonly seconds: number;
}

/** Members of `accurate` that are tried one after another: each has those before it. */
const MEMBERS = [2, 4, 8];

/** A model that is there in seconds, where even the default settings take too long. */
const LEAST: Rung = { name: '--model chow-liu', model: 'chow-liu', words: {}, work: 0, extendsLast: false };

/**
 * Of more columns a Chow-Liu tree, which looks at all pairs of them, may take longer than the budget: what is trained
 * first has no limit.
 */
const MOST_COLUMNS = 500;
const OF_WIDE_ROWS: Rung = { ...LEAST, name: '--model marginals', model: 'marginals' };

/** The settings from the cheapest on, each likelier than those before it (measured.md of the families). */
export function rungsOf(kind: RowKind, rows: number, columns: number): readonly Rung[] {
  return [...(columns > MOST_COLUMNS ? [OF_WIDE_ROWS] : []), ...usualRungs(kind, rows)];
}

function usualRungs(kind: RowKind, rows: number): readonly Rung[] {
  const { default: usual, accurate } = tablePresets;
  const size = tableSizeOf(rows);
  // members by large steps, of which many rows have several, take together about what one of `accurate` does
  const work = kind === 'table' && size === 'few' ? usual[size].members : 1;
  const settings: Rung = { name: 'default settings', words: {}, work, extendsLast: false };
  if (kind === 'table' && size === 'few')
    return [
      LEAST,
      settings,
      { name: '--preset accurate', words: { preset: 'accurate' }, work: accurate[size].members, extendsLast: true },
    ];
  return [
    LEAST,
    settings,
    ...MEMBERS.map((members, at) => ({
      name: `--preset accurate --members ${String(members)}`,
      words: { preset: 'accurate' as const, members },
      work: members,
      extendsLast: at > 0,
    })),
  ];
}

/**
 * Seconds that a rung is going to take, by what a member of the last one took: members are models of the same rows in
 * other orders. Null where none was trained.
 */
export function secondsOf(rung: Rung, trained: readonly TrainedRung[]): number | null {
  const last = trained.at(-1);
  if (last === undefined || last.rung.work === 0) return null;
  const workBefore = last.rung.extendsLast ? trained.at(-2)!.rung.work : 0;
  const aMember = last.seconds / (last.rung.work - workBefore);
  return aMember * (rung.work - (rung.extendsLast ? last.rung.work : 0));
}
