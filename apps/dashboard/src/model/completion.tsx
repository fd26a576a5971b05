import type { DatasetFacts } from '@orchard/contracts';
import { useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { nats, percent } from '../words.js';
import { namesOf, type Row } from './ask-model.js';
import { Image, RowsTable } from './draws.js';
import { Remarks } from './remarks.js';
import { Paste } from './surprise.js';

/** At most this many missing values of a row are shown one by one, and so many values of each. */
const most = { cells: 12, values: 4 } as const;

interface CompletedRow {
  readonly completions: readonly Row[];
  readonly probabilities?: Readonly<
    Record<string, readonly { readonly value: string; readonly probability: number }[]>
  >;
  readonly logEvidence: number;
  readonly exact: boolean;
  readonly effectiveSampleSize: number;
}

type Completed = readonly CompletedRow[];

/** Fills the missing values of pasted rows, and says what each may be and how sure that is. */
export function Completion({ run, facts }: { run: string; facts: DatasetFacts }) {
  const [asked, setAsked] = useState<readonly Row[]>([]);
  const [filled, setFilled] = useState<Completed>([]);
  const [chances, setChances] = useState<Completed>([]);
  const [remarks, setRemarks] = useState<readonly string[]>([]);
  const names = namesOf(facts);
  const rows = filled.map(({ completions }) => completions[0] ?? {});
  return (
    <section aria-label="Completion">
      <h2>Fill the holes of a row</h2>
      <Paste
        label="Rows with missing values: a cell that is empty or ?"
        facts={facts}
        button="Fill"
        onAsk={async (given) => {
          const question = (json: object): Promise<{ readonly rows: Completed; readonly remarks: readonly string[] }> =>
            ask(`/v1/networks/${run}/complete`, { method: 'POST', json: { rows: given, ...json } });
          const answer = await question({});
          setFilled(answer.rows);
          setRemarks(answer.remarks);
          setAsked(given as readonly Row[]);
          // of a model that would take too long for it, the values alone are shown
          setChances((await question({ probabilities: true }).catch(() => ({ rows: [] }))).rows);
        }}
      />
      <Remarks said={remarks} />
      {facts.shape !== null && filled.length > 0 && (
        <div class="images">
          {rows.map((row, number) => (
            <Image
              key={number}
              row={row as readonly number[]}
              shape={facts.shape!}
              label={`Completed row ${String(number + 1)}`}
            />
          ))}
        </div>
      )}
      {facts.shape === null && filled.length > 0 && (
        <RowsTable
          names={names}
          rows={rows}
          caption="Completed rows"
          marked={(row, name) => isMissing(asked[row], name, names)}
        />
      )}
      {filled.map((row, number) => (
        <p key={number} class="note">
          Row {number + 1}: what is known has {nats(row.logEvidence)} nats
          {row.exact
            ? '; sampled exactly'
            : `; sampled by particles, worth ${row.effectiveSampleSize.toFixed(1)} independent ones`}
          .
        </p>
      ))}
      {chances.map((row, number) => (
        <Chances key={number} row={row} number={number} />
      ))}
    </section>
  );
}

function isMissing(row: Row | undefined, name: string, names: readonly string[]): boolean {
  const cell: unknown = Array.isArray(row)
    ? row[names.indexOf(name)]
    : (row as Readonly<Record<string, unknown>> | undefined)?.[name];
  return cell === null || cell === undefined;
}

/** What the missing values of a row may be. */
function Chances({ row, number }: { row: CompletedRow; number: number }) {
  const cells = Object.entries(row.probabilities ?? {});
  return (
    <ul class="chances">
      {cells.slice(0, most.cells).map(([name, values]) => (
        <li key={name}>
          Row {number + 1}, <b>{name}</b>:{' '}
          {values
            .slice(0, most.values)
            .map(({ value, probability }) => `${value} ${percent(probability)}`)
            .join(', ')}
        </li>
      ))}
      {cells.length > most.cells && <li class="note">… and {cells.length - most.cells} more missing values.</li>}
    </ul>
  );
}
