import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { artefactNames } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { collectGarbage, type Deletion, type Expired, type Runs } from '@orchard/runs';
import { entriesBelow, type ObjectStore } from '@orchard/storage';
import type { Logger } from 'pino';
import { routes } from '../access/routes.js';
import type { AuditRecord } from '../audit/audit-documents.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { HousekeepingSettings } from '../config.js';
import { leftoversDocument } from './garbage.js';
import { Repeated } from './repeated.js';
import { housekeepingReportSchema, type HousekeepingReport, type Retention } from './retention-documents.js';

const DAY = 86_400;
/** Between two looks whether it is time; a coordinator that has just started waits as long. */
const checkMilliseconds = 60_000;
/** For how long it is believed which runs go when: to find it out reads the marks of all runs. */
const believedMilliseconds = 60_000;
/** Two clocks that differ by more are not both right. */
const mostClockMilliseconds = 3_600_000;
const reportsKept = 10;
const reportEnding = '.report';

export interface HousekeepingPorts extends Pick<Runs, 'retained'> {
  readonly store: ObjectStore;
  readonly audit: Pick<AuditLog, 'tryWrite'>;
  readonly log: Logger;
}

/**
 * What coordinators remove by themselves: runs that the rules do not keep, leftovers that are older than a day and, by
 * a rule of their own, data sets that no run needs. Time is divided into periods. The first coordinator that creates
 * `housekeeping/<period>.claim` does the work of that period, the others do not; one that dies over it has done a part,
 * and the next period does the rest. Every run that is removed leaves an audit record.
 */
export class Housekeeping {
  #ahead: { readonly at: number; readonly runs: Promise<ReadonlyMap<string, Deletion>> } | null = null;
  readonly #repeated: Repeated;

  constructor(
    private readonly ports: HousekeepingPorts,
    private readonly settings: HousekeepingSettings,
  ) {
    const failed = 'housekeeping could not be begun; tried again in a minute';
    this.#repeated = new Repeated(() => this.once(), checkMilliseconds, ports.log, failed);
  }

  start(): void {
    if (this.settings.everySeconds > 0) this.#repeated.start();
  }

  stop(): Promise<void> {
    return this.#repeated.stop();
  }

  /** Does the work of the period that has begun, where no coordinator has. @returns null where one has */
  async once(now = Date.now()): Promise<HousekeepingReport | null> {
    const { store, log } = this.ports;
    const period = this.#periodAt(now);
    if (!(await this.#claim(period))) return null;
    const done = { runs: [] as Expired[], objects: 0, bytes: 0 };
    let failure: string | null = null;
    try {
      await this.#requireClock(period);
      await this.#removeRuns(period, done.runs);
      for (const { size } of await this.#removeGarbage(period)) {
        done.objects += 1;
        done.bytes += size;
      }
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      log.error({ error }, 'housekeeping failed; what it has not done the next time does');
    }
    const report: HousekeepingReport = { period, endedAt: new Date().toISOString(), ...done, failure };
    await store.put(`${artefactNames.housekeeping}${period}${reportEnding}`, Buffer.from(JSON.stringify(report)));
    log.info(
      { period, runs: done.runs.length, objects: done.objects, bytes: done.bytes, failure },
      'housekeeping done',
    );
    await this.#forgetOld();
    return report;
  }

  /** The rules, the last time, and what the next will remove. */
  async status(now = Date.now()): Promise<Retention> {
    const { rules, unusedDatasetSeconds, everySeconds } = this.settings;
    const days = (seconds: number | null): number | null => (seconds === null ? null : seconds / DAY);
    return {
      rules: {
        runsDays: days(rules.keepSeconds),
        runsPerPerson: rules.lastOfPerson,
        bytesPerPerson: rules.bytesOfPerson,
        unusedDatasetsDays: days(unusedDatasetSeconds),
      },
      everyHours: everySeconds / 3600,
      next: everySeconds === 0 ? null : await this.#next(now),
      last: await this.#last(),
      expired: [...(await this.ports.retained.expired(rules))],
    };
  }

  /** When the schedule deletes a run, as of the last minute; null where the rules keep it. */
  async deletionOf(run: string, now = Date.now()): Promise<{ readonly at: string; readonly why: string } | null> {
    const { rules, everySeconds } = this.settings;
    if (everySeconds === 0 || Object.values(rules).every((rule) => rule === null)) return null;
    if (this.#ahead === null || Math.abs(now - this.#ahead.at) > believedMilliseconds) {
      const runs = this.ports.retained.ahead(rules);
      this.#ahead = { at: now, runs };
      // what could not be read is asked for again
      runs.catch(() => {
        this.#ahead = null;
      });
    }
    const deletion = (await this.#ahead.runs).get(run);
    if (deletion === undefined) return null;
    const { at, why } = deletion;
    const length = everySeconds * 1000;
    return { at: at > now ? new Date(Math.ceil(at / length) * length).toISOString() : await this.#next(now), why };
  }

  #periodAt(now: number): string {
    const length = this.settings.everySeconds * 1000;
    return new Date(Math.floor(now / length) * length).toISOString().slice(0, 13);
  }

  /** Within a minute where the work of this period is not begun, else when the next begins. */
  async #next(now: number): Promise<string> {
    const length = this.settings.everySeconds * 1000;
    const isBegun = (await this.ports.store.head(claimName(this.#periodAt(now)))) !== null;
    return new Date(isBegun ? (Math.floor(now / length) + 1) * length : now + checkMilliseconds).toISOString();
  }

  async #claim(period: string): Promise<boolean> {
    const { store } = this.ports;
    const name = claimName(period);
    if ((await store.head(name)) !== null) return false;
    try {
      return (await store.put(name, Buffer.from(`${hostname()} ${randomUUID()}\n`))) === 'created';
    } catch (error) {
      if (isRefusal(error, 'conflict')) return false;
      throw error;
    }
  }

  /** By a clock that is days ahead all would be old: the time of what was stored a moment ago says whether it is. */
  async #requireClock(period: string): Promise<void> {
    const claim = await this.ports.store.head(claimName(period));
    const difference = claim === null ? 0 : Date.now() - claim.storedAt;
    if (Math.abs(difference) <= mostClockMilliseconds) return;
    const minutes = Math.round(Math.abs(difference) / 60_000);
    throw new Error(
      `The clock of this coordinator is ${String(minutes)} minutes ${difference > 0 ? 'ahead of' : 'behind'} the store's: nothing is removed by it. Set the clock; what is left the next time removes.`,
    );
  }

  async #removeRuns(period: string, removed: Expired[]): Promise<void> {
    const { retained, audit, log } = this.ports;
    await retained.remove(this.settings.rules, async ({ run, why }) => {
      removed.push({ run, why });
      log.info({ run, why }, 'a run is deleted by the retention');
      await audit.tryWrite(recordOf(period, 'DELETE /v1/runs/{id}', `/v1/runs/${run}`, { run, why }));
    });
  }

  async #removeGarbage(period: string): Promise<readonly { readonly size: number }[]> {
    const { store, audit } = this.ports;
    const { unusedDatasetSeconds } = this.settings;
    const garbage = [...(await collectGarbage(store, { remove: true, olderThanSeconds: DAY }))];
    if (unusedDatasetSeconds !== null) {
      const options = { remove: true, datasets: true, olderThanSeconds: unusedDatasetSeconds };
      for (const one of await collectGarbage(store, options)) garbage.push(one);
    }
    if (garbage.length > 0) {
      const route = 'DELETE /v1/garbage';
      const what = routes[route]!.did!(leftoversDocument(garbage) as never) ?? {};
      await audit.tryWrite(recordOf(period, route, '/v1/garbage', what));
    }
    return garbage;
  }

  async #last(): Promise<HousekeepingReport | null> {
    const { store } = this.ports;
    const name = (await this.#names()).findLast((one) => one.endsWith(reportEnding));
    if (name === undefined) return null;
    const report = housekeepingReportSchema.safeParse(JSON.parse(Buffer.from(await store.get(name)).toString('utf8')));
    return report.success ? report.data : null;
  }

  async #forgetOld(): Promise<void> {
    const names = await this.#names();
    const periodOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
    const kept = new Set([...new Set(names.map(periodOf))].slice(-reportsKept));
    for (const name of names) if (!kept.has(periodOf(name))) await this.ports.store.delete(name);
  }

  async #names(): Promise<string[]> {
    return (await entriesBelow(this.ports.store, artefactNames.housekeeping)).map(({ name }) => name);
  }
}

const claimName = (period: string): string => `${artefactNames.housekeeping}${period}.claim`;

function recordOf(period: string, route: string, path: string, what: AuditRecord['what']): AuditRecord {
  return {
    at: new Date().toISOString(),
    requestId: `housekeeping-${period}`,
    who: { name: 'retention', way: 'schedule', role: null },
    method: 'DELETE',
    route,
    path,
    what,
    outcome: { status: null, code: null },
  };
}
