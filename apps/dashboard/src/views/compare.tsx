import type { Likelihood, RunStatus } from '@orchard/contracts';
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { to } from '../route.js';
import { Chart } from '../run/chart.js';
import { choiceWords, clock, messageOf, nats, short } from '../words.js';

/** More curves than these cannot be distinguished. */
const most = 6;
const colours = ['--accent', '--second', '--third', '--fourth', '--muted', '--active'];

interface Compared {
  readonly status: RunStatus;
  readonly likelihood: Likelihood;
  readonly best: number | null;
}

/** Several runs beside each other: a curve each, and of their options those that differ. */
export function Compare({ ids }: { ids: readonly string[] }) {
  const [runs, setRuns] = useState<readonly Compared[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const shown = ids.slice(0, most);
  useEffect(() => {
    Promise.all(
      shown.map(async (id): Promise<Compared> => {
        const status = await ask<RunStatus>(`/v1/runs/${id}`);
        const likelihood = await ask<Likelihood>(`/v1/runs/${id}/likelihood`);
        return { status, likelihood, best: status.logLikelihood };
      }),
    ).then(setRuns, (error: unknown) => {
      setProblem(messageOf(error));
    });
  }, [shown.join()]);
  if (problem !== null) return <p class="problem">{problem}</p>;
  if (runs === null) return <p class="note">Reading the runs…</p>;
  const x = [...new Set(runs.flatMap(({ likelihood }) => likelihood.points.map(([seconds]) => seconds)))].sort(
    (a, b) => a - b,
  );
  const differing = differences(runs);
  // a run that took less than a second has one point, in stores that know whole seconds alone
  const hasCurves = runs.some(({ likelihood }) => likelihood.read > 0);
  return (
    <>
      <div class="bar">
        <h1>{runs.length} runs beside each other</h1>
      </div>
      {ids.length > most && (
        <p class="note">
          The first {most} of {ids.length}.
        </p>
      )}
      <section aria-label="Held-out likelihood">
        <h2>Held-out likelihood</h2>
        {hasCurves ? (
          <Chart
            label="Held-out likelihood of each run since it was submitted"
            x={x}
            xLabel="time"
            xWords={clock}
            lines={runs.map(({ status, likelihood }, at) => ({
              name: short(status.id),
              colour: colours[at]!,
              values: x.map((seconds) => likelihood.points.find(([own]) => own === seconds)?.[1] ?? null),
            }))}
          />
        ) : (
          <p class="note">None of these runs told a likelihood while it trained.</p>
        )}
      </section>
      <section aria-label="What differs">
        <h2>What differs</h2>
        <div class="wide" tabIndex={0} role="region" aria-label="What differs">
          <table>
            <thead>
              <tr>
                <th scope="col">option</th>
                {runs.map(({ status }) => (
                  <th scope="col" key={status.id}>
                    <a href={to('runs', status.id)}>{short(status.id)}</a>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">held-out nats</th>
                {runs.map(({ status, best }) => (
                  <td key={status.id}>{nats(best)}</td>
                ))}
              </tr>
              <tr>
                <th scope="row">state</th>
                {runs.map(({ status }) => (
                  <td key={status.id}>{status.state}</td>
                ))}
              </tr>
              {differing.map(([name, values]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {values.map((value, at) => (
                    <td key={at}>{value}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {differing.length === 0 && <p class="note">Their options are the same.</p>}
      </section>
    </>
  );
}

function differences(runs: readonly Compared[]): (readonly [name: string, values: readonly string[]])[] {
  const options = runs.map(({ status }): Readonly<Record<string, unknown>> => ({
    ...status.specification,
    family: status.family,
    choice: choiceWords(status.choice),
  }));
  const names = [...new Set(options.flatMap((one) => Object.keys(one)))];
  return names
    .map((name) => [name, options.map((one) => valueWords(one[name]))] as const)
    .filter(([, values]) => new Set(values).size > 1);
}

/** An ordering of a thousand columns is shown by its beginning. */
function valueWords(value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 24 ? `${text.slice(0, 21)}…` : text;
}
