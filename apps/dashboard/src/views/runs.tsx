import type { RunGlance, RunOverview, RunStatus } from '@orchard/contracts';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useCluster } from '../cluster/cluster.js';
import { ask } from '../cluster/questions.js';
import { useAnswer } from '../cluster/use-answer.js';
import { to } from '../route.js';
import { ago, count, counted, hasEnded, messageOf, moment, nats, short, timeLeft } from '../words.js';
import { Costs } from './costs.js';
import { Progress, shareDone, State } from './state.js';
import { Problem } from '../problem.js';

/** Pages of 1,000 runs that are read: they come in the order of ids, so that the newest are known when all are. */
const mostPages = 10;
const shownAtOnce = 50;

interface Listed {
  readonly runs: readonly RunOverview[];
  readonly isCut: boolean;
}

async function allRuns(signal: AbortSignal): Promise<Listed> {
  const runs: RunOverview[] = [];
  let after = '';
  for (let page = 0; page < mostPages; page++) {
    const answer = await ask<{ runs: RunOverview[]; next: string | null }>(
      `/v1/runs?limit=1000${after === '' ? '' : `&after=${after}`}`,
      { signal },
    );
    for (const run of answer.runs) runs.push(run);
    if (answer.next === null) return { runs, isCut: false };
    after = answer.next;
  }
  return { runs, isCut: true };
}

interface Facts {
  readonly id: string;
  readonly rows: number;
  readonly dimensions: number;
  readonly variables?: number;
}

/** What a finished run came to: it never changes, and a tab asks once. */
const bestOfRuns = new Map<string, number | null>();

export function Runs() {
  const { cluster, caller, freshness } = useCluster();
  const [listed, setListed] = useState<Listed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const [shown, setShown] = useState(shownAtOnce);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const data = useAnswer<{ datasets: readonly Facts[] }>('/v1/datasets?limit=1000');
  const open = cluster?.runs ?? [];
  const isAway = freshness.way === 'waiting' && freshness.heardAt !== null;
  // runs that began, ended or were removed since the list was read, or while the server did not answer: it is read
  // again
  const openIds = open.map(({ id, state }) => `${id} ${hasEnded(state) ? state : ''}`).join();
  useEffect(() => {
    if (isAway) return;
    const leaving = new AbortController();
    allRuns(leaving.signal).then(
      (found) => {
        setListed(found);
        setProblem(null);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(messageOf(error));
      },
    );
    return () => {
      leaving.abort();
    };
  }, [openIds, isAway]);
  const facts = useMemo(() => new Map((data.value?.datasets ?? []).map((one) => [one.id, one])), [data.value]);
  const glances = new Map(open.map((glance) => [glance.id, glance]));
  const runs = [...(listed?.runs ?? [])].sort((a, b) => (a.submittedAt < b.submittedAt ? 1 : -1));
  const wanted = filter.trim().toLowerCase();
  const matching = runs.filter((run) =>
    [run.id, run.name, labelWords(run), glances.get(run.id)?.state ?? run.state, run.family, run.submittedBy]
      .concat(run.train, run.reason ?? undefined)
      .join(' ')
      .toLowerCase()
      .includes(wanted),
  );
  const choose = (id: string): void => {
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  };
  return (
    <>
      <div class="bar">
        <h1>Runs</h1>
        <input
          type="search"
          aria-label="Filter by name, label, id, state, who or data"
          placeholder="Filter by name, label, state, who, data"
          value={filter}
          onInput={({ currentTarget }) => {
            setFilter(currentTarget.value);
          }}
        />
        {chosen.length > 1 ? (
          <a class="button" href={to('compare', chosen.join(','))}>
            Compare {chosen.length}
          </a>
        ) : (
          <span class="note">tick two or more to compare them</span>
        )}
        {caller.place !== 'local' && caller.access === 'full' && (
          <a class="button main" href={to('new')}>
            New run
          </a>
        )}
      </div>
      <Problem text={problem} />
      {listed === null && problem === null && <p class="note">Reading the runs…</p>}
      {listed !== null && runs.length === 0 && (
        <p class="empty">
          No run yet. {caller.access === 'full' && caller.place !== 'local' && <a href={to('new')}>Drop a file</a>} or
          submit one: <code>orchard submit table.csv</code>
        </p>
      )}
      {runs.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Compare</span>
              </th>
              <th scope="col">Run</th>
              <th scope="col">State</th>
              <th scope="col">Data</th>
              <th scope="col">Progress</th>
              <th scope="col" class="number">
                Held-out nats
              </th>
              <th scope="col">Who</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {matching.slice(0, shown).map((run) => (
              <Row
                key={run.id}
                run={run}
                glance={glances.get(run.id) ?? null}
                facts={facts.get(run.train ?? '') ?? null}
                isChosen={chosen.includes(run.id)}
                onChoose={() => {
                  choose(run.id);
                }}
              />
            ))}
          </tbody>
        </table>
      )}
      {matching.length > shown && (
        <button
          onClick={() => {
            setShown(shown + 4 * shownAtOnce);
          }}
        >
          Show more of {count(matching.length)}
        </button>
      )}
      {runs.length > 0 && matching.length === 0 && <p class="note">No run is like “{filter}”.</p>}
      {runs.length > 0 && caller.place !== 'local' && <Costs />}
      {listed?.isCut === true && (
        <p class="note">
          The first {counted(mostPages * 1000, 'run')} by id are listed; there are more: <code>orchard runs</code> has
          them all.
        </p>
      )}
    </>
  );
}

const labelWords = ({ labels = {} }: RunOverview): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');

interface RowProps {
  readonly run: RunOverview;
  readonly glance: RunGlance | null;
  readonly facts: Facts | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Row({ run, glance, facts, isChosen, onChoose }: RowProps) {
  const state = glance?.state ?? run.state;
  const [best, setBest] = useState<number | null>(bestOfRuns.get(run.id) ?? null);
  useEffect(() => {
    if (state !== 'done' || bestOfRuns.has(run.id)) return;
    ask<RunStatus>(`/v1/runs/${run.id}`)
      .then(({ logLikelihood }) => {
        bestOfRuns.set(run.id, logLikelihood);
        setBest(logLikelihood);
      })
      .catch(() => undefined);
  }, [run.id, state]);
  const likelihood = glance === null ? best : glance.logLikelihood;
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={`Compare run ${short(run.id)}`} checked={isChosen} onChange={onChoose} />
      </td>
      <td>
        <a class={run.name === undefined ? 'id' : undefined} href={to('runs', run.id)}>
          {run.name ?? short(run.id)}
        </a>
        <span class="note">
          {' '}
          {[run.name === undefined ? '' : short(run.id), run.family, labelWords(run)].filter(Boolean).join(', ')}
        </span>
      </td>
      <td>
        <State state={state} />
      </td>
      <td data-label="data">
        {facts === null
          ? short(run.train ?? '')
          : `${count(facts.rows)} × ${count(facts.variables ?? facts.dimensions)}`}
        <span class="note"> {facts === null ? '' : short(facts.id)}</span>
      </td>
      <td data-label="progress">
        {glance !== null && (
          <>
            <Progress share={shareDone(glance.stages)} />
            <span class="note">{glance.secondsLeftRange === null ? '' : ` ${timeLeft(glance.secondsLeftRange)}`}</span>
          </>
        )}
        {glance === null && run.reason !== null && <span class="note">{run.reason.slice(0, 80)}</span>}
      </td>
      <td class="number" data-label="nats">
        {nats(likelihood)}
      </td>
      <td data-label="who">{run.submittedBy ?? ''}</td>
      <td data-label="when" title={moment(run.submittedAt)}>
        {ago(run.submittedAt)}
      </td>
    </tr>
  );
}
