import type { RunOverview } from '@orchard/contracts';
import { costsOfPeople } from '@orchard/contracts/person-costs';
import { useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { Problem } from '../problem.js';
import { to } from '../route.js';
import { bytes, counted, duration, messageOf, short } from '../words.js';

type Cost = NonNullable<RunOverview['cost']>;

/** The costliest that are shown. */
const mostRuns = 20;
const newest = 500;

/** What runs have cost, by person and by run. It is asked for when it is opened: what each stores is counted then. */
export function Costs() {
  const [runs, setRuns] = useState<readonly RunOverview[] | null>(null);
  const [isCut, setCut] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const read = (): void => {
    ask<{ runs: RunOverview[]; next: string | null }>(`/v1/runs?cost=true&order=newest&limit=${String(newest)}`).then(
      (answer) => {
        setRuns(answer.runs);
        setCut(answer.next !== null);
        setProblem(null);
      },
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  return (
    <details
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) read();
      }}
    >
      <summary>What runs have cost</summary>
      <Problem text={problem} />
      {runs === null && problem === null && <p class="note">Counting what they store…</p>}
      {runs !== null && <Tables runs={runs} />}
      {isCut && (
        <p class="note">
          Of the newest {counted(newest, 'run')}: <code>orchard runs --cost</code> has them all.
        </p>
      )}
    </details>
  );
}

function Tables({ runs }: { readonly runs: readonly RunOverview[] }) {
  const costliest = runs
    .flatMap((run) => (run.cost === undefined ? [] : [{ run, cost: run.cost }]))
    .sort((a, b) => b.cost.threadSeconds - a.cost.threadSeconds)
    .slice(0, mostRuns);
  return (
    <>
      <table class="list">
        <Head first="Who" second="Runs" />
        <tbody>
          {[...costsOfPeople(runs)].map(([person, { cost, runs: many, unknown }]) => (
            <tr key={person}>
              <td>{person === '' ? 'not known' : person}</td>
              <td class="number">
                {many}
                {unknown > 0 && <span class="note"> {unknown} of unknown cost</span>}
              </td>
              <Figures cost={cost} />
            </tr>
          ))}
        </tbody>
      </table>
      <table class="list">
        <Head first="Run" second="Who" />
        <tbody>
          {costliest.map(({ run, cost }) => (
            <tr key={run.id}>
              <td>
                <a href={to('runs', run.id)}>{run.name ?? short(run.id)}</a>
              </td>
              <td>{run.submittedBy ?? ''}</td>
              <Figures cost={cost} />
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Head({ first, second }: { readonly first: string; readonly second: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">{second}</th>
        <th scope="col" class="number">
          Thread time
        </th>
        <th scope="col" class="number">
          Stored
        </th>
      </tr>
    </thead>
  );
}

function Figures({ cost: { threadSeconds, isWhole, storedBytes } }: { readonly cost: Cost }) {
  return (
    <>
      <td class="number" data-label="threads">
        {isWhole ? '' : 'over '}
        {duration(threadSeconds)}
      </td>
      <td class="number" data-label="stored">
        {storedBytes === null ? 'not known' : bytes(storedBytes)}
      </td>
    </>
  );
}
