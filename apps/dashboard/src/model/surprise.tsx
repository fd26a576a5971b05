import type { DatasetFacts } from '@orchard/contracts';
import { useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { messageOf, nats, percent } from '../words.js';
import { namesOf, pastedRows } from './ask-model.js';
import { Remarks } from './remarks.js';
import type { ScoredRow } from './score-rows.js';
import { Problem } from '../problem.js';

interface Score {
  readonly rows: readonly ScoredRow[];
  readonly remarks: readonly string[];
}

/** A place for rows to be pasted into. */
export function Paste({
  label,
  facts,
  onAsk,
  button,
  mayHaveHoles = true,
}: {
  label: string;
  facts: DatasetFacts;
  onAsk: (rows: readonly unknown[]) => Promise<void>;
  button: string;
  mayHaveHoles?: boolean;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const names = namesOf(facts);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(null);
        new Promise<void>((resolve) => {
          resolve(onAsk(pastedRows(text, facts, mayHaveHoles)));
        }).catch((error: unknown) => {
          setProblem(messageOf(error));
        });
      }}
    >
      <label class="paste">
        {label}
        <textarea
          rows={3}
          spellcheck={false}
          placeholder={`${names.slice(0, 6).join(',')}${names.length > 6 ? ',…' : ''}`}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
          }}
        />
      </label>
      <button type="submit">{button}</button>
      <Problem text={problem} />
    </form>
  );
}

/** How unusual rows are, and which of their cells make them so. */
export function Surprise({ run, facts }: { run: string; facts: DatasetFacts }) {
  const [score, setScore] = useState<Score | null>(null);
  return (
    <section aria-label="Surprise">
      <h2>How unusual is a row?</h2>
      <Paste
        label="Rows as they stand in a file, with or without its header"
        facts={facts}
        button="Score"
        mayHaveHoles={false}
        onAsk={async (rows) => {
          setScore(await ask<Score>(`/v1/networks/${run}/score`, { method: 'POST', json: { rows, top: 5 } }));
        }}
      />
      <Remarks said={score?.remarks ?? []} />
      {score?.rows.map((row, number) => (
        <div key={number} class="scored">
          <p>
            Row {number + 1}:{' '}
            {row.anomalyScore !== null && (
              <>
                anomaly score <b>{nats(row.anomalyScore)}</b>,{' '}
              </>
            )}
            <b>{nats(row.logLikelihood)} nats</b>
          </p>
          <ul>
            {row.surprising.map((one) => (
              <li key={one.column}>
                <b>{one.column}</b> is {String(one.value)} ({percent(one.probability)}; expected {one.expected})
                <span class="note"> {nats(one.surprise)} nats of surprise</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
