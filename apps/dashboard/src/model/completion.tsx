import type { DatasetFacts } from '@orchard/contracts';
import { useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { percent } from '../words.js';
import { namesOf, type Row } from './ask-model.js';
import { CompletionOfBits } from './completion-of-bits.js';
import { RowsTable } from './draws.js';
import { Paste } from './surprise.js';

interface Completed {
  readonly rows: readonly {
    readonly completions: readonly Readonly<Record<string, unknown>>[];
    readonly probabilities?: Readonly<
      Record<string, readonly { readonly value: string; readonly probability: number }[]>
    >;
  }[];
}

/** Fills the missing values of pasted rows, and says what each may be. */
export function Completion({ run, facts }: { run: string; facts: DatasetFacts }) {
  return facts.table === undefined ? (
    <CompletionOfBits run={run} facts={facts} />
  ) : (
    <CompletionOfTable run={run} facts={facts} />
  );
}

function CompletionOfTable({ run, facts }: { run: string; facts: DatasetFacts }) {
  const [asked, setAsked] = useState<readonly Readonly<Record<string, unknown>>[]>([]);
  const [filled, setFilled] = useState<readonly Row[]>([]);
  const [chances, setChances] = useState<Completed | null>(null);
  return (
    <section aria-label="Completion">
      <h2>Fill the holes of a row</h2>
      <Paste
        label="Rows with missing values: a cell that is empty or ?"
        facts={facts}
        button="Fill"
        onAsk={async (rows) => {
          const path = `/v1/networks/${run}/complete`;
          const [one, all] = await Promise.all([
            ask<Completed>(path, { method: 'POST', json: { rows } }),
            ask<Completed>(path, { method: 'POST', json: { rows, probabilities: true } }),
          ]);
          setAsked(rows as readonly Readonly<Record<string, unknown>>[]);
          setFilled(one.rows.map(({ completions }) => completions[0] ?? {}));
          setChances(all);
        }}
      />
      {filled.length > 0 && (
        <RowsTable
          names={namesOf(facts)}
          rows={filled}
          caption="Completed rows"
          marked={(row, name) => asked[row]?.[name] === null || asked[row]?.[name] === undefined}
        />
      )}
      {chances?.rows.map((row, number) => (
        <ul key={number} class="chances">
          {Object.entries(row.probabilities ?? {}).map(([name, values]) => (
            <li key={name}>
              Row {number + 1}, <b>{name}</b>:{' '}
              {values
                .slice(0, 4)
                .map(({ value, probability }) => `${value} ${percent(probability)}`)
                .join(', ')}
            </li>
          ))}
        </ul>
      ))}
    </section>
  );
}
