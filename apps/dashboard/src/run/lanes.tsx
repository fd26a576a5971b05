import type { WorkerGlance } from '@orchard/contracts';
import { to } from '../route.js';
import { bytes, counted, duration, percent, short } from '../words.js';
import { conditionOf } from './condition.js';

/** One lane for each worker: how it is, and what it holds. @param run its tasks alone; null for those of all runs */
export function Lanes({
  workers,
  run,
  onChoose,
}: {
  workers: readonly WorkerGlance[];
  run: string | null;
  onChoose?: (task: string) => void;
}) {
  if (workers.length === 0) return <p class="note">No worker is there, and none was within the last minutes.</p>;
  return (
    <ul class="lanes">
      {workers.map((worker) => {
        const condition = conditionOf(worker);
        const own = worker.holds.filter((held) => run === null || held.run === run);
        const isElsewhere = own.length < worker.holds.length;
        return (
          <li key={worker.id} class={`lane ${condition.replace(' ', '-')}`}>
            <div class="lane-head">
              <b>{worker.name}</b>
              <span class="condition">
                {condition}
                {['gone', 'silent'].includes(condition) && ` for ${duration(worker.silentSeconds)}`}
              </span>
              <span class="note">
                {counted(worker.threads, 'thread')}, {bytes(worker.memoryBytes)} for data
              </span>
            </div>
            <div class="held">
              {own.map(({ run: of, task, share }) => (
                <span class="task" key={`${of} ${task}`}>
                  {onChoose === undefined ? (
                    <a href={to('runs', of)}>
                      {task} <span class="note">of {short(of)}</span>
                    </a>
                  ) : (
                    <button
                      class="plain"
                      onClick={() => {
                        onChoose(task);
                      }}
                    >
                      {task}
                    </button>
                  )}
                  <progress max={1} value={share} aria-label={`${task}: ${percent(share)}`} />
                </span>
              ))}
              {own.length === 0 && <span class="note">{isElsewhere ? 'works for another run' : 'holds nothing'}</span>}
            </div>
            {condition === 'gone' && worker.holds.length > 0 && (
              <p class="note">What it had is given to another worker when its lock has expired.</p>
            )}
            {worker.notice !== null && <p class="problem">{worker.notice}</p>}
            {worker.refused.map(({ run: of, bytes: needs }) => (
              <p class="problem" key={of}>
                It refused run <a href={to('runs', of)}>{short(of)}</a>: its data need {bytes(needs)}, and this worker
                has {bytes(worker.memoryBytes)} for data.
              </p>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
