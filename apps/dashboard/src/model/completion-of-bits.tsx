import type { DatasetFacts } from '@orchard/contracts';
import { useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { nats, percent } from '../words.js';
import { namesOf } from './ask-model.js';
import { Image, RowsTable } from './draws.js';
import { Paste } from './surprise.js';

/** Of a row at most so many unknown columns are told one by one. */
const mostTold = 12;

interface Completed {
  readonly rows: readonly {
    readonly completion: readonly number[];
    readonly rates?: readonly number[];
    readonly logEvidence: number;
    readonly logEvidenceError: number | null;
    readonly exact: boolean;
    readonly effectiveSampleSize: number;
  }[];
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
        label="Rows with holes: a cell that is empty or ?"
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
          Row {number + 1}: what is known has {nats(row.logEvidence)} nats
          {row.exact
            ? '; drawn exactly'
            : `; drawn by particles, worth ${row.effectiveSampleSize.toFixed(1)} independent ones`}
          {ratesOf(row.rates, asked[number] ?? [], names)}.
        </p>
      ))}
    </section>
  );
}

/** What the first unknown columns may be, of a model that tells it. */
function ratesOf(rates: readonly number[] | undefined, asked: readonly (number | null)[], names: readonly string[]) {
  if (rates === undefined) return '';
  const unknown = rates.flatMap((rate, at) => (asked[at] === null ? [`${names[at]!} ${percent(rate)}`] : []));
  if (unknown.length === 0) return '';
  const more = unknown.length > mostTold ? ` and ${String(unknown.length - mostTold)} more` : '';
  return `; how likely a 1 is: ${unknown.slice(0, mostTold).join(', ')}${more}`;
}
