// What a run asks of a cluster: measured where it was run, carried over by stated rules where not.
import { sum } from '../statistics.mjs';

const isWorker = ([name]) => name.startsWith('worker');

/** A run of the overhead section as it was. */
function measuredRow({ set, leaves, rounds, pairs, dimensions }) {
  const { there } = pairs.at(-1);
  return {
    run: `${set}, J = ${leaves}, T = ${rounds}`,
    dimensions,
    rows: there.rows,
    coreHours:
      sum(
        Object.entries(there.processes)
          .filter(isWorker)
          .map(([, seconds]) => seconds),
      ) / 3600,
    storeBytes: there.stored.bytes + there.datasets.bytes,
    redisBytes: there.redis.peak,
    how: 'measured',
  };
}

/**
 * Trees of one run need about the same bytes each in every other of as many leaves: those of the measured run with the
 * most leaves are carried over. Time grows with rows, and with the square of the dimensions (each has the earlier ones
 * as predictors). What Redis holds does not grow with either once a run is wider than its window.
 *
 * @param {{ overhead: object[], wide: object | null, scaling: object | null }} measured
 */
export function sizingTable({ overhead, wide, scaling }) {
  const table = overhead.map(measuredRow);
  if (wide !== null) {
    const redisBytes = wide.redisPeakBytes;
    table.push({
      run: 'noise, J = 2, T = 1, no refit',
      dimensions: wide.dimensions,
      rows: wide.rows,
      coreHours: wide.workerSeconds / 3600,
      storeBytes: wide.storedBytes,
      redisBytes,
      how: 'measured',
    });
  }
  const model = [...overhead].sort((a, b) => b.leaves - a.leaves)[0];
  if (scaling === null || model === undefined) return table;
  const { there } = model.pairs.at(-1);
  const bytesPerLeaf = there.stored.bytes / (model.dimensions * model.rounds * model.leaves);
  const redisBytes = Math.max(...table.map((row) => row.redisBytes));
  const measuredHours = (scaling.trainSeconds + scaling.refitSeconds) / 3600;
  const { leaves, rounds } = scaling;
  const carriedOver = (dimensions, rows, how) => ({
    run: `J = ${leaves}, T = ${rounds}`,
    dimensions,
    rows,
    coreHours: measuredHours * (rows / scaling.rows) * (dimensions / scaling.dimensions) ** 2,
    storeBytes: dimensions * rounds * leaves * bytesPerLeaf,
    redisBytes,
    how,
  });
  table.push(
    carriedOver(
      scaling.dimensions,
      scaling.rows,
      `extrapolated: time from ${scaling.samples.length} dimensions of ${scaling.set}`,
    ),
    carriedOver(scaling.dimensions, 10 * scaling.rows, 'extrapolated: time by rows'),
    carriedOver(2000, scaling.rows, 'extrapolated: time by dimensions squared'),
    carriedOver(10_000, 10_000, 'extrapolated: time by rows and dimensions squared'),
  );
  return table;
}
