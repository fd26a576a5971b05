import { errorInNats, nats, percent, seenWords, type Outlier } from '@orchard/model';
import { useEffect, useState } from 'preact/hooks';
import type { Question, RowScore, ScoredRows } from './messages.js';

/** Rows that are shown at a time in the order of the file. */
const PAGE_ROWS = 20;

const grouped = new Intl.NumberFormat('en-US');
const rowsOf = (count: number): string => `${grouped.format(count)} ${count === 1 ? 'row' : 'rows'}`;

interface ResultProps {
  readonly scored: ScoredRows;
  readonly some: { readonly from: number; readonly rows: readonly RowScore[] } | null;
  readonly list: Blob | null;
  readonly ask: (question: Question) => void;
}

export function Result({ scored, some, list, ask }: ResultProps) {
  const [isByFile, setIsByFile] = useState(false);
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    if (!isWanted || list === null) return;
    setIsWanted(false);
    save(list, scored.name);
  }, [isWanted, list]);
  const turnTo = (from: number): void => {
    ask({ ask: 'some', from, count: PAGE_ROWS });
  };
  return (
    <section class="result">
      <Summary scored={scored} />
      <div class="choices">
        <button type="button" aria-pressed={!isByFile} onClick={() => setIsByFile(false)}>
          Most unusual first
        </button>
        <button
          type="button"
          aria-pressed={isByFile}
          onClick={() => {
            setIsByFile(true);
            if (some === null) turnTo(0);
          }}
        >
          In the order of the file
        </button>
        <button
          type="button"
          class="save"
          onClick={() => {
            setIsWanted(true);
            if (list === null) ask({ ask: 'list' });
          }}
        >
          Download the score of each row (CSV)
        </button>
      </div>
      {!isByFile && <WorstRows worst={scored.worst} />}
      {isByFile && some !== null && <RowsOfFile rows={scored.rows} some={some} turnTo={turnTo} />}
    </section>
  );
}

function Summary({ scored }: { scored: ScoredRows }) {
  const { rows, mean, standardError, densities, unknown, newCells, notes } = scored;
  return (
    <>
      <p class="figure">
        {rowsOf(rows)}: <b>{nats(mean)}</b>
        {standardError === null ? '' : ` ± ${nats(standardError)}`} nats per row
        {densities !== null &&
          `: ${nats(mean - densities)} of masses and ${nats(densities)} of densities, which depend on units`}
      </p>
      <ul class="words">
        {unknown.rows > 0 && (
          <li>
            {rowsOf(unknown.rows)} with unknown values: integrated out by sampling, with an error of{' '}
            {errorInNats(unknown.error)}.
          </li>
        )}
        {newCells.map(({ column, unseen, misfits, ...rest }) => (
          <li key={column}>
            {unseen > 0 &&
              `${grouped.format(unseen)} ${unseen === 1 ? 'value' : 'values'} of ${column} ${seenWords(rest)}. `}
            {misfits > 0 &&
              `${grouped.format(misfits)} ${misfits === 1 ? 'cell that does' : 'cells that do'} not fit the column ${column}, counted as missing.`}
          </li>
        ))}
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </>
  );
}

function WorstRows({ worst }: { worst: readonly Outlier[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>row</th>
          <th>anomaly score</th>
          <th>log-likelihood</th>
          <th>unusual cells</th>
        </tr>
      </thead>
      <tbody>
        {worst.map(({ row, score, logLikelihood, cells }) => (
          <tr key={row}>
            <td>{grouped.format(row)}</td>
            <td>{score.toPrecision(4)}</td>
            <td>{nats(logLikelihood)}</td>
            <td>
              {cells.map(({ column, value, probability, expected }) => (
                <div key={column}>
                  <b>{column}</b> is {value ?? 'missing'} ({percent(probability)}; expected {expected})
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RowsOfFileProps {
  readonly rows: number;
  readonly some: { readonly from: number; readonly rows: readonly RowScore[] };
  readonly turnTo: (from: number) => void;
}

function RowsOfFile({ rows, some, turnTo }: RowsOfFileProps) {
  return (
    <>
      <table>
        <thead>
          <tr>
            <th>row</th>
            <th>anomaly score</th>
            <th>log-likelihood</th>
          </tr>
        </thead>
        <tbody>
          {some.rows.map(({ row, score, logLikelihood }) => (
            <tr key={row}>
              <td>{grouped.format(row)}</td>
              <td>{score.toPrecision(4)}</td>
              <td>{nats(logLikelihood)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="choices">
        <button type="button" disabled={some.from === 0} onClick={() => turnTo(some.from - PAGE_ROWS)}>
          Earlier rows
        </button>
        <button type="button" disabled={some.from + PAGE_ROWS >= rows} onClick={() => turnTo(some.from + PAGE_ROWS)}>
          Later rows
        </button>
      </div>
    </>
  );
}

/** Hands the list over as a download, called after the file of the rows. */
function save(list: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(list);
  link.download = `${name.replace(/(\.[a-z]+)?(\.gz)?$/i, '')}-scores.csv`;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 60_000);
}
