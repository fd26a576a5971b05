import type { DatasetFacts } from '@orchard/contracts';
import { useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { nats, percent } from '../words.js';
import { namesOf } from './ask-model.js';
import { Image, RowsTable } from './draws.js';
import { Paste } from './surprise.js';

/** At most this many unknown columns of a row are shown one by one. */
const mostTold = 12;

interface CompletedRow {
  readonly completion: readonly number[];
  readonly rates?: readonly number[];
  readonly logEvidence: number;
  readonly exact: boolean;
  readonly effectiveSampleSize: number;
}

interface Completed {
  readonly rows: readonly CompletedRow[];
}

type Asked = readonly (readonly (number | null)[])[];

/** One draw of what is unknown in pasted rows of 0 and 1, and how sure it is. */
export function CompletionOfBits({ run, facts }: { run: string; facts: DatasetFacts }) {
  const [asked, setAsked] = useState<Asked>([]);
  const [completed, setCompleted] = useState<Completed | null>(null);
  const names = namesOf(facts);
  const { shape } = facts;
  return (
    <section aria-label="Completion">
      <h2>Fill the holes of a row</h2>
      <Paste
        label="Rows with missing values: a cell that is empty or ?"
        facts={facts}
        button="Fill"
        onAsk={async (rows) => {
          setCompleted(await ask<Completed>(`/v1/networks/${run}/complete`, { method: 'POST', json: { rows } }));
          setAsked(rows as Asked);
        }}
      />
      {completed !== null && shape !== null && (
        <div class="images">
          {completed.rows.map(({ completion }, number) => (
            <Image key={number} row={completion} shape={shape} label={`Completed row ${String(number + 1)}`} />
          ))}
        </div>
      )}
      {completed !== null && shape === null && (
        <RowsTable
          names={names}
          rows={completed.rows.map(({ completion }) => completion)}
          caption="Completed rows"
          marked={(row, name) => asked[row]?.[names.indexOf(name)] === null}
        />
      )}
      {completed?.rows.map((row, number) => (
        <p key={number} class="note">
          Row {number + 1}: {filledWords(row, asked[number] ?? [], names)}; what is known has {nats(row.logEvidence)}{' '}
          nats
          {row.exact
            ? '; sampled exactly'
            : `; sampled by particles, worth ${row.effectiveSampleSize.toFixed(1)} independent ones`}
          .
        </p>
      ))}
    </section>
  );
}

/** The values of the first columns that were unknown, and what they may be where the model states it. */
function filledWords(
  { completion, rates }: CompletedRow,
  asked: readonly (number | null)[],
  names: readonly string[],
): string {
  const filled = completion.flatMap((value, at) => {
    if (asked[at] !== null) return [];
    const rate = rates === undefined ? '' : ` (a 1 by ${percent(rates[at]!)})`;
    return [`${names[at]!} ${String(value)}${rate}`];
  });
  if (filled.length === 0) return 'nothing was unknown';
  const more = filled.length > mostTold ? ` and ${String(filled.length - mostTold)} more` : '';
  return `${filled.slice(0, mostTold).join(', ')}${more}`;
}
