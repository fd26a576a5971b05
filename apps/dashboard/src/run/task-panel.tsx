import type { TaskDetails } from '@orchard/contracts';
import { useAnswer } from '../cluster/use-answer.js';
import { bytes, count, counted, moment, percent } from '../words.js';
import { Chart } from './chart.js';

/** One task: its curve, its attempts and what they left in the log, who has it. */
export function TaskPanel({
  run,
  task,
  again,
  onClose,
}: {
  run: string;
  task: string;
  again: unknown;
  onClose: () => void;
}) {
  const { value, problem } = useAnswer<TaskDetails>(`/v1/runs/${run}/tasks/${task}`, again);
  return (
    <section class="task-panel" aria-label={`Task ${task}`}>
      <div class="bar">
        <h3>{value === null ? task : `${value.name === null ? '' : `${value.name}: `}${value.words}`}</h3>
        <button class="plain" onClick={onClose}>
          Close
        </button>
      </div>
      {problem !== null && <p class="problem">{problem}</p>}
      {value !== null && (
        <>
          <p>{whereIs(value)}</p>
          {value.curves !== null && (
            <Chart
              label={`Likelihood by trees of ${value.words}`}
              x={value.curves.rounds}
              xLabel="trees"
              xWords={count}
              height={200}
              lines={[
                { name: 'training', colour: '--muted', isDashed: true, values: value.curves.train },
                ...(value.curves.valid === null
                  ? []
                  : [{ name: 'held out', colour: '--accent', values: value.curves.valid }]),
                ...(value.curves.test === null
                  ? []
                  : [{ name: 'test', colour: '--second', values: value.curves.test }]),
              ]}
            />
          )}
          {value.curves === null && value.storedAt !== null && <p class="note">No curve of it is stored.</p>}
          {value.attempts.length > 0 && <h4>{counted(value.attempts.length, 'attempt')} came to nothing</h4>}
          <ol class="attempts">
            {value.attempts.map((attempt, number) => (
              <li key={number}>
                <b>{attempt.kind === 'lost' ? 'lost' : attempt.code}</b>
                {attempt.worker !== '' && <span class="note"> by {attempt.worker}</span>}: {attempt.reason}
                {attempt.stack !== null && (
                  <details>
                    <summary>Log</summary>
                    <pre>{attempt.stack}</pre>
                  </details>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function whereIs({ storedAt, worker, share, bytes: size }: TaskDetails): string {
  if (storedAt !== null) return `Stored ${moment(storedAt)}, ${bytes(size ?? 0)}.`;
  if (worker === null) return 'Waiting for a worker.';
  return `Worker ${worker} has it, ${percent(share ?? 0)} of it done.`;
}
