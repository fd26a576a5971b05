import type { DatasetFacts } from '@orchard/contracts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, Refused } from '../cluster/questions.js';
import { DropFile } from '../drop-file.js';
import { bytes, count, counted, messageOf, nats } from '../words.js';
import { cellWords, pastedRows } from './ask-model.js';
import { Remarks } from './remarks.js';
import { csvOfRanks, placedRemark, ranked, scoreInPieces, type RankedRow, type ScoredRow } from './score-rows.js';
import { Problem } from '../problem.js';

/** Larger files, and longer ones, are for the command line. */
const mostBytes = 4_000_000;
const mostRows = 10_000;
const mostShown = 50;

interface Scored {
  readonly name: string;
  readonly rows: readonly RankedRow[];
  readonly remarks: readonly string[];
}

/** A place for a file to be dropped into: its rows come back by how unusual they are. */
export function ScoreFile({ run, facts }: { run: string; facts: DatasetFacts }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [done, setDone] = useState<{ readonly scored: number; readonly of: number } | null>(null);
  const [result, setResult] = useState<Scored | null>(null);
  // of two files the later counts
  const latest = useRef<File | null>(null);
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  const score = async (file: File): Promise<void> => {
    latest.current = file;
    setProblem(null);
    setResult(null);
    try {
      const rows = await rowsOf(file, facts);
      setDone({ scored: 0, of: rows.length });
      const remarks = new Set<string>();
      let before = 0;
      const scored = await scoreInPieces(
        rows,
        facts.dimensions,
        async (piece) => {
          if (latest.current !== file) throw new Left();
          const json = { rows: piece, top: 1 };
          const path = `/v1/networks/${run}/score`;
          const answer = await ask<{ rows: readonly ScoredRow[]; remarks: readonly string[] }>(path, {
            method: 'POST',
            json,
          });
          for (const remark of answer.remarks) remarks.add(placedRemark(remark, before));
          return answer.rows;
        },
        (error) => error instanceof Refused && error.status === 422,
        (so) => {
          before = so;
          if (latest.current === file) setDone({ scored: so, of: rows.length });
        },
      );
      if (latest.current !== file) return;
      setResult({ name: file.name, rows: ranked(scored), remarks: [...remarks] });
    } catch (error) {
      if (latest.current !== file) return;
      setProblem(messageOf(error));
    }
    setDone(null);
  };
  return (
    <section aria-label="Rows of a file">
      <h2>Which rows of a file are unusual?</h2>
      <DropFile onFile={(file) => void score(file)}>
        <b>Drop a file of rows here, or choose one</b>
        <span class="note">
          CSV or TSV, up to {bytes(mostBytes)} and {count(mostRows)} rows: <code>orchard evaluate MODEL FILE</code>{' '}
          scores any
        </span>
      </DropFile>
      {done !== null && (
        <p class="note" role="status">
          {count(done.scored)} of {counted(done.of, 'row')} scored…
        </p>
      )}
      <Problem text={problem} />
      <Remarks said={result?.remarks ?? []} />
      {result !== null && <Ranks name={result.name} rows={result.rows} />}
    </section>
  );
}

/** The user has gone on to something else. */
class Left extends Error {}

/** @throws Error in words for people */
async function rowsOf(file: File, facts: DatasetFacts): Promise<readonly unknown[]> {
  const more = 'orchard evaluate MODEL FILE scores files of any size.';
  if (file.size > mostBytes)
    throw new Error(
      `${file.name} has ${bytes(file.size)}, and at most ${bytes(mostBytes)} are scored on this page: ${more}`,
    );
  if (file.size === 0) throw new Error(`${file.name} is empty, or a folder: drop one file with a row a line.`);
  const text = await file.text().catch(() => {
    throw new Error(`${file.name} cannot be read: is it a folder, or has it changed since?`);
  });
  if (text.includes('\0')) throw new Error(`${file.name} is not text: expected CSV or TSV. ${more}`);
  const rows = pastedRows(text, facts);
  if (rows.length > mostRows)
    throw new Error(
      `${file.name} has ${count(rows.length)} rows, and at most ${count(mostRows)} are scored on this page: ${more}`,
    );
  return rows;
}

function Ranks({ name, rows }: { name: string; rows: readonly RankedRow[] }) {
  const [saved, setSaved] = useState<string | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([csvOfRanks(rows)], { type: 'text/csv' }));
    setSaved(url);
    return () => {
      URL.revokeObjectURL(url);
    };
  }, [rows]);
  const mean = rows.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0) / rows.length;
  return (
    <>
      <p>
        {counted(rows.length, 'row')} of {name}: <b>{nats(mean)} nats</b> a row.{' '}
        {saved !== null && (
          <a href={saved} download={`${name.replace(/\.\w+$/, '')}-scores.csv`}>
            Save all scores
          </a>
        )}
      </p>
      <p class="note">
        Rows that trained the model score too low: <code>orchard outliers FILE</code> scores each row of a file by a
        model that did not learn from it.
      </p>
      <div class="wide" tabIndex={0} role="region" aria-label="The most unusual rows">
        <table>
          <caption class="hidden">The most unusual rows</caption>
          <thead>
            <tr>
              <th scope="col">rank</th>
              <th scope="col">row</th>
              <th scope="col">anomaly score</th>
              <th scope="col">nats</th>
              <th scope="col">its most unusual cell</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostShown).map(({ row, rank, logLikelihood, anomalyScore, surprising: [odd] }) => (
              <tr key={row}>
                <td class="number">{count(rank)}</td>
                <td class="number">{count(row)}</td>
                <td class="number">{anomalyScore === null ? '' : nats(anomalyScore)}</td>
                <td class="number">{nats(logLikelihood)}</td>
                <td>{odd !== undefined && `${odd.column} is ${cellWords(odd.value)}, expected ${odd.expected}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > mostShown && (
        <p class="note">
          The {mostShown} most unusual of {count(rows.length)}: the others are in the file that can be saved.
        </p>
      )}
    </>
  );
}
