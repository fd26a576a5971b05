import type { Submitter } from '@orchard/contracts';
import { Gauge, type Registry } from 'prom-client';
import { NO_LIMIT, type LimitsOfPerson } from '../config.js';
import type { Ports } from '../ports.js';

/** Of more people the rest is one series. */
const mostPeople = 100;
/** How old bytes stored may be in a scrape before they are read anew: that lists the whole store. */
const secondsOfStoredBytes = 900;

type Figure = readonly [person: Submitter, value: number];

/** Shows what people use at the time of a scrape, and what they may. No scrape waits for the store. */
export function watchPeople(
  registry: Registry,
  { use, busyPeople }: Pick<Ports, 'use' | 'busyPeople'>,
  { storedBytes, openRuns, threads }: LimitsOfPerson,
): void {
  watch(registry, 'stored_bytes', 'Bytes of the runs of a person and of the data sets of these', () => {
    use.within(secondsOfStoredBytes).catch(() => undefined);
    const people = [...(use.last?.people.values() ?? [])];
    return people.map((one) => [one.submitter, one.runBytes + one.datasetBytes]);
  });
  watch(registry, 'open_runs', 'Runs of a person that have not ended', () =>
    [...busyPeople().values()].map((one) => [one.submitter, one.openRuns]),
  );
  watch(registry, 'threads', 'Threads that work on the runs of a person', () =>
    [...busyPeople().values()].map((one) => [one.submitter, one.threads]),
  );
  const most = new Gauge({
    name: 'orchard_person_limit',
    help: 'What one person may use; no series where there is no limit',
    labelNames: ['of'],
    registers: [registry],
  });
  for (const [of, limit] of Object.entries({ stored_bytes: storedBytes, open_runs: openRuns, threads }))
    if (limit !== NO_LIMIT) most.set({ of }, limit);
}

function watch(registry: Registry, of: string, help: string, figures: () => Figure[]): void {
  const gauge = new Gauge({
    name: `orchard_person_${of}`,
    help,
    labelNames: ['person', 'way'],
    registers: [registry],
    collect(): void {
      gauge.reset();
      const all = figures().sort(([, a], [, b]) => b - a);
      // two users of one name are one series: their subjects are not for graphs
      for (const [{ name: person, way }, value] of all.slice(0, mostPeople)) gauge.inc({ person, way }, value);
      for (const [, value] of all.slice(mostPeople)) gauge.inc({ person: 'others', way: 'several' }, value);
    },
  });
}
