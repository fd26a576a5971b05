import { personOf } from '@orchard/contracts';
import { isRefusal } from '@orchard/refusal';
import type { History } from './history.js';
import type { Marks } from './marks.js';
import type { PeopleUse } from './people-use.js';
import {
  deletionsAhead,
  expiredRuns,
  type Deletion,
  type Expired,
  type RetainedRun,
  type RetentionRules,
} from './retention.js';
import { hasEnded } from './run-names.js';
import type { RunPins } from './run-pins.js';
import type { RunSheets } from './run-sheets.js';

interface RetentionPorts {
  readonly marks: Marks;
  readonly sheets: Pick<RunSheets, 'ofAll'>;
  readonly pins: RunPins;
  readonly use: Pick<PeopleUse, 'within'>;
  readonly remove: (run: string) => Promise<void>;
}

/** An expired run after which nothing was decided about it, as far as one knew. */
interface Found extends Expired {
  readonly marks: number;
}

/** Runs that rules do not keep: which these are, and their removal. Reads the marks of all runs. */
export class RetainedRuns {
  constructor(private readonly ports: RetentionPorts) {}

  /** What the rules would remove now, the oldest first. */
  async expired(rules: RetentionRules): Promise<readonly Expired[]> {
    return (await this.#find(rules)).map(({ run, why }) => ({ run, why }));
  }

  /** When each run goes that they do not keep for ever. */
  async ahead(rules: RetentionRules): Promise<ReadonlyMap<string, Deletion>> {
    if (isEmpty(rules)) return new Map();
    return deletionsAhead((await this.#all()).all, rules, Date.now());
  }

  /**
   * Removes them one by one. One that was pinned, resumed or asked for again meanwhile stays, and one whose model a run
   * is asking.
   *
   * @param onRemoved called before the next is begun
   */
  async remove(rules: RetentionRules, onRemoved: (expired: Expired) => Promise<void>): Promise<void> {
    const { marks, pins, remove } = this.ports;
    for (const { run, why, marks: known } of await this.#find(rules)) {
      const { life, marks: now } = await marks.of(run);
      if (now !== known || !hasEnded(life) || (await pins.all()).has(run)) continue;
      try {
        await remove(run);
      } catch (error) {
        // the next schedule finds it again
        if (isRefusal(error, 'run-in-use')) continue;
        throw error;
      }
      await onRemoved({ run, why });
    }
  }

  async #find(rules: RetentionRules): Promise<readonly Found[]> {
    if (isEmpty(rules)) return [];
    const { all, histories } = await this.#all();
    return expiredRuns(all, rules, Date.now()).map((one) => ({ ...one, marks: histories.get(one.run)!.marks }));
  }

  async #all(): Promise<{ all: readonly RetainedRun[]; histories: ReadonlyMap<string, History> }> {
    const { marks, sheets, pins, use } = this.ports;
    const histories = new Map<string, History>();
    for await (const [run, history] of marks.all()) if (history.life !== null) histories.set(run, history);
    const pinned = await pins.all();
    const owners = await sheets.ofAll([...histories.keys()]);
    const { runs: bytes } = await use.within(60);
    const all = [...histories].map(([run, { life, lastAt }]): RetainedRun => {
      const submitter = owners.get(run)?.submitter;
      return {
        run,
        person: submitter === undefined || submitter.way === 'unknown' ? null : personOf(submitter),
        endedAt: hasEnded(life) && lastAt !== null ? Date.parse(lastAt) : null,
        bytes: bytes.get(run) ?? 0,
        isPinned: pinned.has(run),
      };
    });
    return { all, histories };
  }
}

const isEmpty = (rules: RetentionRules): boolean => Object.values(rules).every((rule) => rule === null);
