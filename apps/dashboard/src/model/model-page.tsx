import type { DatasetFacts, RunStatus } from '@orchard/contracts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAnswer } from '../cluster/use-answer.js';
import { to } from '../route.js';
import { choiceWords, count, percent, short } from '../words.js';
import { namesOf } from './ask-model.js';
import { Completion } from './completion.js';
import { Draws, Image } from './draws.js';
import { ScoreFile } from './score-file.js';
import { Surprise } from './surprise.js';

/** What a model knows: it can be asked here what the command line can ask it, a little at a time. */
export function ModelPage({ id }: { id: string }) {
  const status = useAnswer<RunStatus>(`/v1/runs/${id}`);
  const train = status.value?.specification.train;
  const facts = useAnswer<DatasetFacts>(train === undefined ? null : `/v1/datasets/${train}`);
  const [drawn, setDrawn] = useState({ count: 20, seed: 0 });
  const [column, setColumn] = useState<number | null>(null);
  const problem = status.problem ?? facts.problem;
  if (problem !== null) return <p class="problem">{problem}</p>;
  if (status.value === null || facts.value === null || train === undefined)
    return <p class="note">Reading the model…</p>;
  if (status.value.networks.length === 0)
    return (
      <p>
        Run <a href={to('runs', id)}>{short(id)}</a> has no model yet: it is {status.value.state}.
      </p>
    );
  // the last column has all others to be predicted from
  const shown = column ?? namesOf(facts.value).length - 1;
  return (
    <>
      <div class="bar">
        <h1>
          Model of <a href={to('runs', id)}>{short(id)}</a>
        </h1>
        <span class="note">{[status.value.family, choiceWords(status.value.choice)].filter(Boolean).join(', ')}</span>
      </div>
      <section aria-label="Samples">
        <div class="bar">
          <h2>Samples</h2>
          <label>
            rows{' '}
            <input
              type="number"
              min={1}
              max={200}
              value={drawn.count}
              onChange={({ currentTarget }) => {
                setDrawn({ ...drawn, count: Math.min(200, Math.max(1, Number(currentTarget.value) || 1)) });
              }}
            />
          </label>
          <button
            onClick={() => {
              setDrawn({ ...drawn, seed: drawn.seed + 1 });
            }}
          >
            Draw others
          </button>
          <span class="note">seed {drawn.seed}: the same seed samples the same rows</span>
        </div>
        <Draws run={id} train={train} count={drawn.count} seed={drawn.seed} />
      </section>
      <Surprise run={id} facts={facts.value} />
      <ScoreFile run={id} facts={facts.value} />
      <Completion run={id} facts={facts.value} />
      <Importance run={id} facts={facts.value} column={shown} />
      <Variables facts={facts.value} chosen={shown} onChoose={setColumn} />
    </>
  );
}

interface ImportanceAnswer {
  readonly name: string | null;
  readonly column: number;
  readonly shares: readonly {
    readonly column: number;
    readonly name: string | null;
    readonly share: number;
    /** Null where that was not tested. */
    readonly beyondNoise: boolean | null;
  }[];
  readonly judgedBy: { readonly split: string; readonly rows: number; readonly ofRows: number } | null;
}

const mostShares = 12;

function Importance({ run, facts, column }: { run: string; facts: DatasetFacts; column: number }) {
  const { value, problem } = useAnswer<ImportanceAnswer>(`/v1/networks/${run}/importance?column=${String(column)}`);
  const names = namesOf(facts);
  return (
    <section aria-label="Importance" id="importance">
      <h2>What {names[column] ?? String(column)} is predicted from</h2>
      {problem !== null && <p class="problem">{problem}</p>}
      {value !== null && value.shares.length === 0 && (
        <p class="note">From nothing: no column before it tells of it.</p>
      )}
      {value !== null && value.shares.length > 0 && facts.shape !== null && (
        <Image
          row={imageOf(value, facts.dimensions)}
          shape={facts.shape}
          label={`Pixels that dimension ${String(column)} is predicted from`}
        />
      )}
      <ol class="bars">
        {value?.shares.slice(0, mostShares).map(({ column: other, name, share, beyondNoise }) => (
          <li key={other}>
            <span>
              {name ?? other}
              {beyondNoise === false && ' (noise?)'}
            </span>
            <meter min={0} max={1} value={share} aria-label={`${name ?? String(other)}: ${percent(share)}`} />
            <b>{percent(share)}</b>
          </li>
        ))}
      </ol>
      {value !== null && value.shares.length > mostShares && (
        <p class="note">{count(value.shares.length - mostShares)} more have smaller shares.</p>
      )}
      {value !== null && <p class="note">{testedBy(value)}</p>}
    </section>
  );
}

function testedBy({ judgedBy }: ImportanceAnswer): ComponentChildren {
  if (judgedBy === null)
    return (
      <>
        Shares of what the model knows, not tested against noise, on which trees split too:{' '}
        <code>orchard importance MODEL DATA</code> does, by rows that trained nothing.
      </>
    );
  const { split, rows, ofRows } = judgedBy;
  const tested =
    rows === ofRows ? `the ${count(rows)} ${split} rows` : `${count(rows)} of the ${count(ofRows)} ${split} rows`;
  return `Shares of what the model knows. One is marked (noise?) where the column's values, dealt to others of ${tested}, predict as well.`;
}

function imageOf({ shares, column }: ImportanceAnswer, dimensions: number): number[] {
  const image = Array.from({ length: dimensions }, () => 0);
  for (const { column: at, share } of shares) image[at] = share;
  image[column] = 0;
  return image;
}

const mostVariables = 100;

function Variables({
  facts,
  chosen,
  onChoose,
}: {
  facts: DatasetFacts;
  chosen: number;
  onChoose: (column: number) => void;
}) {
  const [filter, setFilter] = useState('');
  const names = namesOf(facts);
  const matching = names
    .map((name, at) => [name, at] as const)
    .filter(([name]) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <section aria-label="Variables">
      <div class="bar">
        <h2>{facts.table === undefined ? 'Dimensions' : 'Variables'}</h2>
        <input
          type="search"
          aria-label="Filter by name"
          placeholder="Filter by name"
          value={filter}
          onInput={({ currentTarget }) => {
            setFilter(currentTarget.value);
          }}
        />
      </div>
      <div class="wide" tabIndex={0} role="region" aria-label="Variables">
        <table>
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">kind</th>
              <th scope="col">values</th>
              <th scope="col">holes</th>
            </tr>
          </thead>
          <tbody>
            {matching.slice(0, mostVariables).map(([name, at]) => (
              <tr key={at} class={at === chosen ? 'chosen' : undefined}>
                <td>
                  <button
                    class="plain"
                    aria-pressed={at === chosen}
                    onClick={() => {
                      onChoose(at);
                      document.getElementById('importance')?.scrollIntoView({ behavior: 'smooth' });
                    }}
                  >
                    {name}
                  </button>
                </td>
                <td>{facts.table?.variables[at]?.kind ?? 'bit'}</td>
                <td>{valuesOf(facts, at)}</td>
                <td>{facts.table?.variables[at]?.holes ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {matching.length > mostVariables && (
        <p class="note">
          The first {mostVariables} of {count(matching.length)}: the filter finds the others.
        </p>
      )}
    </section>
  );
}

function valuesOf({ table }: DatasetFacts, at: number): string {
  const variable = table?.variables[at];
  if (variable === undefined) return '0, 1';
  if (variable.kind === 'ordered') return `${count(variable.counts.length)} bins`;
  const { labels } = variable;
  return `${labels.slice(0, 5).join(', ')}${labels.length > 5 ? `, ${count(labels.length - 5)} more` : ''}`;
}
