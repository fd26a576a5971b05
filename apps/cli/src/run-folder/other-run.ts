import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { baseSpecificationSchema, canonicalJson, familyOf, type BaseSpecification } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { networkFileName, openRun, type RunDatasets } from '@orchard/pipeline';
import { FilesystemStore, readWholeFile } from '@orchard/storage';
import { UsageError } from '../output/errors.js';
import { flagOfWord } from '../options/flag-of-word.js';
import { count, counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { summaryIn } from './summary-in.js';

/** What is about to be trained. */
export interface ComingRun {
  readonly runId: string;
  readonly specification: BaseSpecification;
  readonly datasets: RunDatasets;
  /** Runs that may be replaced: those of the same command. */
  readonly replaces?: readonly string[];
}

/** A run whose network, summary and report lie in a folder; what it was made of is null where nothing there says it. */
interface FoundRun {
  readonly runId: string | null;
  readonly specification: BaseSpecification | null;
  readonly datasets: RunDatasets | null;
}

/** What is said of a run, or of a part of it, by name. */
type Fields = Readonly<Record<string, unknown>>;

/** What a run writes beside its store, and another run in the same folder would replace. */
const replaced = [networkFileName, 'summary.json', 'report.html'] as const;

/**
 * Keeps the network, summary and report of another run from being replaced. The same run again goes on, and so does one
 * in a folder without those files.
 *
 * @throws UsageError on another run's folder without `force`; nothing was written then
 */
export async function refuseOtherRun(
  path: string,
  coming: ComingRun,
  { force, terminal }: { readonly force: boolean; readonly terminal: Terminal },
): Promise<void> {
  const there = replaced.filter((name) => existsSync(join(path, name)));
  if (there.length === 0) return;
  const found = await findRun(path);
  if (found.runId === coming.runId || coming.replaces?.includes(found.runId ?? '') === true) return;
  const differences = differencesOf(found, coming);
  const run = found.runId === null ? '' : ` (${found.runId.slice(0, 12)})`;
  if (force) {
    terminal.note(`orchard: the files of another run${run} in ${path} are replaced; ${differences}`);
    return;
  }
  throw new UsageError({
    got: `${path}, in which ${there.join(', ')} ${there.length === 1 ? 'is' : 'are'} of another run${run}: ${differences}`,
    expected: 'a folder that is empty, or of the same run',
    where: '--out',
    remedy: 'Name another folder, or give --force to replace these files.',
  });
}

/** By the summary, or the network where a run was stopped between the two. */
async function findRun(path: string): Promise<FoundRun> {
  const runId = (await summaryIn(path))?.runId ?? (await ofNetwork(path))?.runId ?? null;
  if (runId === null) return { runId, specification: null, datasets: null };
  try {
    const store = join(path, 'store');
    if (existsSync(store)) return { ...(await openRun(await FilesystemStore.open(store), runId)), runId };
  } catch {
    // a store that was emptied or damaged: the network says what it was made of, too
  }
  const network = await ofNetwork(path);
  return { runId, specification: network?.runId === runId ? network.specification : null, datasets: null };
}

async function ofNetwork(
  path: string,
): Promise<{ readonly runId: string; readonly specification: BaseSpecification | null } | null> {
  try {
    const { specification } = families.openModel(await readWholeFile(join(path, networkFileName)));
    const { runId, ...fields } = specification as Record<string, unknown>;
    const ofRun = Object.entries(fields).filter(([name]) => name !== 'selection' && name !== 'refit');
    const parsed = baseSpecificationSchema.safeParse(Object.fromEntries(ofRun));
    return typeof runId === 'string' ? { runId, specification: parsed.success ? parsed.data : null } : null;
  } catch {
    return null;
  }
}

/** `--leaves 16, now 4; --rounds 50, now 20`. */
function differencesOf(found: FoundRun, coming: ComingRun): string {
  if (found.specification === null) return 'what it was made of is unknown';
  const [before, after] = [found.specification, coming.specification];
  if (familyOf(before) !== familyOf(after)) return `--model ${familyOf(before)}, now ${familyOf(after)}`;
  const said = keysOf(before, after)
    .filter((key) => !isEqual(before[key], after[key]))
    .flatMap((key) => {
      if (key === 'train' || key === 'valid' || key === 'test') {
        return `${splitNames[key]} ${rowsOf(before[key], found.datasets?.[key])}, now ${rowsOf(after[key], coming.datasets[key])}`;
      }
      if (key === 'ordering') return difference('--ordering', orderingText(before[key]), orderingText(after[key]));
      if (key === 'tuning') return differencesOfTrials(recordOf(before[key]), recordOf(after[key]));
      if (key === 'members' && before[key] !== undefined && after[key] !== undefined)
        return differencesOfParts(recordOf(before[key]), recordOf(after[key]), flagOfWord);
      // a table may have several without a word about them, and one by a word
      if (key === 'members') return difference('--members', membersIn(before[key]), membersIn(after[key]));
      const name = key === 'numericsVersion' ? 'the numerics version' : flagOfWord(key);
      return difference(name, shown(before[key]), shown(after[key]));
    });
  return said.length === 0 ? 'its options cannot be compared' : said.join('; ');
}

const splitNames = { train: 'training rows', valid: 'validation rows', test: 'test rows' } as const;

/** `180 x 5 (a6cbd3959caa)`: rows of equal number may still be others. */
function rowsOf(id: string | null, facts: { readonly rows: number; readonly dimensions: number } | null | undefined) {
  if (id === null) return 'none';
  return facts ? `${count(facts.rows)} x ${count(facts.dimensions)} (${id.slice(0, 12)})` : id.slice(0, 12);
}

/** Settings that only one of the two tries are not listed: they are `auto` in the other, which is reported already. */
function differencesOfTrials(before: Fields, after: Fields): readonly string[] {
  const tried = (fields: Fields, others: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key in others));
  const nameOf = (key: string): string =>
    `${key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} of the trials`;
  return differencesOfParts(tried(before, after), tried(after, before), nameOf);
}

function differencesOfParts(before: Fields, after: Fields, nameOf: (key: string) => string): readonly string[] {
  return keysOf(before, after)
    .filter((key) => !isEqual(before[key], after[key]))
    .map((key) => difference(nameOf(key), shown(before[key]), shown(after[key])));
}

function difference(name: string, before: string, after: string): string {
  return `${name} ${before}, now ${after}`;
}

/** Of both: what is not given is absent. */
function keysOf(before: Fields, after: Fields): readonly string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])];
}

function isEqual(before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return before === after;
  return canonicalJson(before) === canonicalJson(after);
}

function recordOf(value: unknown): Fields {
  return (value ?? {}) as Fields;
}

/** A run of networks does not say how many are mixed, which may be asked for any number. */
function membersIn(value: unknown): string {
  return value === undefined ? '1' : shown(recordOf(value)['count'] ?? 'several');
}

/** A permutation of the columns, shown by its first ones, or the name of an ordering. */
function orderingText(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  const first = value.slice(0, 5).map((dim) => String(Number(dim) + 1));
  return `${first.join(',')}${value.length > 5 ? ',…' : ''} (of ${counted(value.length, 'column')})`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'not given';
  if (value === null) return 'off';
  const isWord = typeof value === 'string' || typeof value === 'number' || Array.isArray(value);
  return isWord ? String(value) : 'given';
}
