import type { DatasetFacts } from '@orchard/contracts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../cluster/questions.js';
import { useAnswer } from '../cluster/use-answer.js';
import { cellWords, namesOf, type Drawn, type Row } from './ask-model.js';
import { messageOf } from '../words.js';

/** Wider tables are shown by their first columns. */
const mostColumns = 12;

/** Rows that the model drew: images as such, others as a table. */
export function Draws({ run, train, count, seed = 0 }: { run: string; train: string; count: number; seed?: number }) {
  const { value: facts } = useAnswer<DatasetFacts>(`/v1/datasets/${train}`);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    ask<Drawn>(`/v1/networks/${run}/sample`, { method: 'POST', json: { count, seed }, signal: leaving.signal }).then(
      (value) => {
        setDrawn(value);
        setProblem(null);
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setProblem(messageOf(error));
      },
    );
    return () => {
      leaving.abort();
    };
  }, [run, count, seed]);
  if (problem !== null) return <p class="problem">{problem}</p>;
  if (drawn === null || facts === null) return <p class="note">Sampling…</p>;
  if (facts.shape !== null)
    return (
      <div class="images">
        {drawn.rows.map((row, number) => (
          <Image
            key={number}
            row={row as readonly number[]}
            shape={facts.shape!}
            label={`Sampled row ${String(number + 1)}`}
          />
        ))}
      </div>
    );
  return <RowsTable names={namesOf(facts)} rows={drawn.rows} caption="Sampled rows" />;
}

/** Rows under the names of their columns. */
export function RowsTable({
  names,
  rows,
  caption,
  marked,
}: {
  names: readonly string[];
  rows: readonly Row[];
  caption: string;
  /** Cells that are to stand out: filled in, say. */
  marked?: (row: number, name: string) => boolean;
}) {
  const shown = names.slice(0, mostColumns);
  return (
    <>
      <div class="wide" tabIndex={0} role="region" aria-label={caption}>
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {shown.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, number) => (
              <tr key={number}>
                {shown.map((name, at) => (
                  <td key={name} class={marked?.(number, name) === true ? 'marked' : undefined}>
                    {cellWords(Array.isArray(row) ? row[at] : (row as Readonly<Record<string, unknown>>)[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {names.length > shown.length && (
        <p class="note">
          The first {mostColumns} of {names.length} columns.
        </p>
      )}
    </>
  );
}

/** One row of 0 and 1 as the picture that it is; or shares, from 0 to the largest. */
export function Image({
  row,
  shape: [height, width],
  label,
}: {
  row: readonly number[];
  shape: readonly [number, number];
  label: string;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current!.getContext('2d')!;
    const style = getComputedStyle(canvas.current!);
    context.clearRect(0, 0, width, height);
    context.fillStyle = style.getPropertyValue('--accent');
    const most = row.reduce((highest, one) => Math.max(highest, one), 1e-12);
    row.forEach((value, at) => {
      if (value <= 0) return;
      context.globalAlpha = value / most;
      context.fillRect(at % width, Math.floor(at / width), 1, 1);
    });
  }, [row, width, height]);
  return <canvas ref={canvas} class="image" width={width} height={height} role="img" aria-label={label} />;
}
