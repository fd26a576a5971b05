import type { Likelihood, RunStatus, TaskGrid } from '@orchard/contracts';
import { useEffect, useState } from 'preact/hooks';
import { useCluster } from '../cluster/cluster.js';
import { follow, type Freshness } from '../cluster/live.js';
import { ask } from '../cluster/questions.js';
import { useAnswer, useTicks } from '../cluster/use-answer.js';
import { Draws } from '../model/draws.js';
import { go, to } from '../route.js';
import { Progress, State } from '../views/state.js';
import {
  bytes,
  choiceWords,
  clock,
  count,
  counted,
  duration,
  hasEnded,
  messageOf,
  moment,
  nats,
  short,
  timeLeft,
} from '../words.js';
import { Chart } from './chart.js';
import { Files } from './files.js';
import { fallsSomewhere, heldOutPoints } from './held-out.js';
import { Lanes } from './lanes.js';
import { Grid } from './task-grid.js';
import { TaskPanel } from './task-panel.js';
import { Problem } from '../problem.js';

/** One run: while it goes what it does, and afterwards all of that and what it came to. */
export function RunPage({ id }: { id: string }) {
  const { cluster, caller } = useCluster();
  const [status, setStatus] = useState<RunStatus | null>(null);
  const [freshness, setFreshness] = useState<Freshness | null>(null);
  const [life, setLife] = useState(0);
  const [task, setTask] = useState<string | null>(null);
  useEffect(() => follow(`/v1/runs/${id}/events`, `/v1/runs/${id}`, setStatus, setFreshness), [id, life]);
  const isOpen = status !== null && !hasEnded(status.state);
  const ticks = useTicks(2000, isOpen);
  const again = `${status?.state ?? ''} ${String(ticks)} ${String(life)}`;
  const grid = useAnswer<TaskGrid>(`/v1/runs/${id}/tasks`, again);
  const likelihood = useAnswer<Likelihood>(`/v1/runs/${id}/likelihood`, again);
  if (status === null)
    return (
      <p class="note" role="status">
        {freshness?.way === 'waiting' && freshness.reason !== null ? freshness.reason : 'Reading the run…'}
      </p>
    );
  const workers = cluster?.workers ?? [];
  const stages = grid.value?.stages ?? [];
  return (
    <>
      <div class="bar">
        <h1>
          {status.name ?? (
            <>
              Run <span class="id">{short(id)}</span>
            </>
          )}
        </h1>
        <State state={status.state} />
        {status.pinned === true && <span class="note">pinned: no schedule deletes it</span>}
        <Buttons
          status={status}
          mayChange={caller.access === 'full' && caller.place !== 'local'}
          mayOwn={caller.role === 'admin' || status.submittedBy === caller.name}
          onDone={() => {
            setLife(life + 1);
          }}
        />
      </div>
      <p class="note">
        {[status.family, choiceWords(status.choice)].filter(Boolean).join(', ')}; submitted {moment(status.submittedAt)}
        {status.submittedBy === undefined ? '' : ` by ${status.submittedBy}`}; <code class="whole-id">{id}</code>
      </p>
      <CostAndEnd status={status} />
      <Problem text={status.reason} />
      {status.waits.map(({ code, message, since }) => (
        <p class="waits" key={code}>
          {message} <span class="note">since {moment(since)}</span>
        </p>
      ))}
      <section aria-label="Progress">
        <h2>Progress</h2>
        <ul class="stages">
          {Object.entries(status.stages).map(
            ([kind, counts]) =>
              counts !== null && (
                <li key={kind}>
                  <b>{kind}</b>
                  <Progress share={counts.total === 0 ? 0 : counts.done / counts.total} label={kind} />
                  <span class="note">
                    {count(counts.done)} of {count(counts.total)}
                    {counts.active > 0 && `, ${count(counts.active)} at work`}
                    {counts.quarantined > 0 && `, ${count(counts.quarantined)} given up`}
                  </span>
                </li>
              ),
          )}
        </ul>
        {isOpen && (
          <p class="note">
            {status.secondsLeftRange === null
              ? 'The time left of this stage is not known yet'
              : `${timeLeft(status.secondsLeftRange)} of this stage`}
            {status.treesPerSecond > 0 && `, ${count(Math.round(status.treesPerSecond))} trees a second`}
          </p>
        )}
        <Troubles status={status} onChoose={setTask} />
      </section>
      <HeldOut likelihood={likelihood.value} status={status} />
      {stages.length > 0 && (
        <section aria-label="Tasks">
          <h2>Tasks</h2>
          {stages.map((stage) => (
            <div key={stage.kind}>
              <h3>{stage.kind}</h3>
              {stage.keys.length === 0 ? (
                <p class="note">{counted(stage.total, 'task')} to come.</p>
              ) : (
                <Grid
                  stage={stage}
                  chosen={task?.startsWith(`${stage.kind}/`) === true ? task : null}
                  onChoose={setTask}
                />
              )}
            </div>
          ))}
          {task !== null && (
            <TaskPanel
              run={id}
              task={task}
              again={again}
              onClose={() => {
                setTask(null);
              }}
            />
          )}
        </section>
      )}
      {isOpen && caller.place !== 'local' && (
        <section aria-label="Workers">
          <h2>Workers</h2>
          <Lanes workers={workers} run={id} onChoose={setTask} />
        </section>
      )}
      {status.networks.length > 0 && (
        <>
          <Files status={status} />
          <section aria-label="Draws">
            <div class="bar">
              <h2>Samples</h2>
              <a class="button" href={to('runs', id, 'model')}>
                Ask the model
              </a>
            </div>
            <Draws run={id} train={status.specification.train} count={5} />
          </section>
        </>
      )}
    </>
  );
}

/** What the run has cost so far, and when a schedule deletes it. */
function CostAndEnd({ status: { cost, deletion } }: { status: RunStatus }) {
  if (cost === undefined && deletion === undefined) return null;
  const stored = cost?.storedBytes ?? null;
  return (
    <p class="note">
      {cost !== undefined &&
        `${cost.isWhole ? '' : 'Over '}${duration(cost.threadSeconds)} of threads${stored === null ? '' : `, ${bytes(stored)} stored`}. `}
      {deletion !== undefined && `Deleted ${moment(deletion.at)}: ${deletion.why}. Pinned, it stays.`}
    </p>
  );
}

type Order = 'cancel' | 'resume' | 'pin' | 'unpin';

interface ButtonsProps {
  readonly status: RunStatus;
  readonly mayChange: boolean;
  /** As far as the page knows: the coordinator knows who is who. */
  readonly mayOwn: boolean;
  readonly onDone: () => void;
}

function Buttons({ status, mayChange, mayOwn, onDone }: ButtonsProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [isSure, setIsSure] = useState(false);
  if (!mayChange) return null;
  const send = (path: string, method: string, then: () => void): void => {
    setIsAsking(true);
    ask(`/v1/runs/${status.id}${path}`, { method })
      .then(
        () => {
          setProblem(null);
          then();
        },
        (error: unknown) => {
          setProblem(messageOf(error));
        },
      )
      .finally(() => {
        setIsAsking(false);
      });
  };
  const act = (what: Order): void => {
    send(`/${what}`, 'POST', onDone);
  };
  const remove = (): void => {
    send('', 'DELETE', () => {
      go('runs');
    });
  };
  const isOpen = !hasEnded(status.state);
  const button = (what: Order, words: string, look?: string) => (
    <button class={look} disabled={isAsking} onClick={() => act(what)}>
      {words}
    </button>
  );
  return (
    <span class="actions">
      {isOpen && button('cancel', 'Cancel')}
      {status.state === 'cancelled' && button('resume', 'Resume', 'main')}
      {status.state === 'failed' && button('resume', 'Try again', 'main')}
      {isOpen && status.quarantined.length > 0 && button('resume', 'Try what was given up again')}
      {mayOwn && button(status.pinned === true ? 'unpin' : 'pin', status.pinned === true ? 'Unpin' : 'Pin')}
      {mayOwn && status.pinned !== true && !isSure && <button onClick={() => setIsSure(true)}>Delete…</button>}
      {mayOwn && status.pinned !== true && isSure && (
        <>
          <span>The run and its model are lost, the data sets stay.</span>
          <button class="danger" disabled={isAsking} onClick={remove}>
            Delete for good
          </button>
          <button onClick={() => setIsSure(false)}>Keep</button>
        </>
      )}
      {problem !== null && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}

function Troubles({ status, onChoose }: { status: RunStatus; onChoose: (task: string) => void }) {
  const troubled = [
    ...status.quarantined.map((task) => ['given up', task] as const),
    ...status.retrying.map((task) => ['tried again', task] as const),
  ];
  if (troubled.length === 0) return null;
  return (
    <>
      <h3>{counted(troubled.length, 'task')} failed</h3>
      <ul class="troubles">
        {troubled.slice(0, 20).map(([what, { task, attempts, code, reason }]) => (
          <li key={task}>
            <button
              class="plain"
              onClick={() => {
                onChoose(task);
              }}
            >
              {task}
            </button>{' '}
            {what} after {counted(attempts, 'attempt')}: <b>{code}</b>, {reason}
          </li>
        ))}
      </ul>
      {troubled.length > 20 && <p class="note">and {count(troubled.length - 20)} more, in the colours below</p>}
    </>
  );
}

/** The likelihood of rows that it was not trained on, as its tasks came in. */
function HeldOut({ likelihood, status }: { likelihood: Likelihood | null; status: RunStatus }) {
  if (likelihood === null) return null;
  const only = (sentence: string) => (
    <section aria-label="Held-out likelihood">
      <h2>Held-out likelihood</h2>
      <p class="note">{sentence}</p>
    </section>
  );
  if (likelihood.of === null)
    return only(
      'Tasks of this kind of run tell no likelihood while they train: the summary has it when the run is done.',
    );
  const points = heldOutPoints(likelihood, status, Date.now());
  if (points.length === 0)
    return only(`None of ${count(likelihood.tasks)} ${likelihood.called ?? ''} has reported it yet. ${likelihood.of}`);
  return (
    <section aria-label="Held-out likelihood">
      <div class="bar">
        <h2>Held-out likelihood</h2>
        <b class="figure">{nats(points.at(-1)?.[1])}</b>
        <span class="note">log-likelihood per held-out row (nats)</span>
      </div>
      <Chart
        label={`Log-likelihood per held-out row since the run was submitted, now ${nats(points.at(-1)?.[1])} nats`}
        x={points.map(([seconds]) => seconds)}
        xLabel="time"
        xWords={clock}
        lines={[{ name: 'held out', colour: '--accent', values: points.map(([, value]) => value) }]}
      />
      <p class="note">
        With {count(likelihood.read)} of {count(likelihood.tasks)} {likelihood.called}
        {likelihood.read < likelihood.stored &&
          `, of ${count(likelihood.stored)} that are stored: the others are being read`}
        . {likelihood.of}
        {fallsSomewhere(points) &&
          ' The figure is made of the tasks that are stored so far, so it can fall before it rises: the columns that come first may be easier to predict than the others.'}
      </p>
    </section>
  );
}
