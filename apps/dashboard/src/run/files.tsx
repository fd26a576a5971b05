import type { ModelSummary, RunStatus } from '@orchard/contracts';
import { useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { useAnswer } from '../cluster/use-answer.js';
import { bytes, choiceWords, counted, messageOf, nats } from '../words.js';
import { Problem } from '../problem.js';

/** What a run ended in, for each model that was asked for: its report, and its files. */
export function Files({ status }: { status: RunStatus }) {
  return (
    <section aria-label="Files">
      <h2>Results</h2>
      {status.networks.map((choice) => (
        <Model key={JSON.stringify(choice)} run={status.id} choice={choice} />
      ))}
    </section>
  );
}

function Model({ run, choice }: { run: string; choice: Readonly<Record<string, unknown>> }) {
  const [problem, setProblem] = useState<string | null>(null);
  const given = Object.entries(choice).map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(given).toString();
  const rest = query === '' ? '' : `?${query}`;
  const { value: summary } = useAnswer<ModelSummary>(`/v1/runs/${run}/summary${rest}`);
  // a link is good for a minute, so it is made when it is followed
  const open = (file: string, name: string | null): void => {
    const tab = name === null ? window.open('about:blank', '_blank') : null;
    ask<{ path: string }>(`/v1/runs/${run}/links/${file}${rest}`).then(
      ({ path }) => {
        if (tab !== null) {
          tab.opener = null;
          tab.location.href = path;
          return;
        }
        const link = document.createElement('a');
        link.href = path;
        link.download = name ?? '';
        link.click();
      },
      (error: unknown) => {
        tab?.close();
        setProblem(messageOf(error));
      },
    );
  };
  return (
    <div class="model">
      <b>{choiceWords(choice) || 'model'}</b>
      {summary !== null && (
        <span class="note">
          {' '}
          {counted(summary.dataset.rows.train, 'training row')}, {bytes(summary.network.bytes)}
          {summary.network.testLogLikelihood !== null &&
            `, test ${summary['likelihoodIs'] === undefined ? '' : 'at least '}${nats(summary.network.testLogLikelihood)} nats`}
        </span>
      )}
      <span class="actions">
        <button
          class="main"
          onClick={() => {
            open('report', null);
          }}
        >
          Report
        </button>
        <button
          onClick={() => {
            open('network', `${run.slice(0, 12)}.msgpack`);
          }}
        >
          Download the model
        </button>
        <button
          onClick={() => {
            open('summary', `${run.slice(0, 12)}.json`);
          }}
        >
          Summary
        </button>
      </span>
      <Problem text={problem} />
    </div>
  );
}
