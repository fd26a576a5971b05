import { BitMatrix } from '@orchard/dataset';
import { Network, toValues } from '@orchard/model';
import { artefactNames } from '@orchard/pipeline';
import type { NetworkChoice } from '@orchard/contracts';
import type { ObjectStore } from '@orchard/storage';
import { CoordinatorError } from '../errors.js';
import type { SampleAnswer, SampleRequest, ScoreAnswer, ScoreRequest } from './network-documents.js';

/** Values that one request may ask to be computed: the event loop waits for them. */
const MOST_VALUES = 1_000_000;

/** Networks held ready, up to `bytes` of their files; the one that was asked for longest ago goes first. */
export class Networks {
  readonly #held = new Map<string, { network: Network; bytes: number }>();
  #bytes = 0;

  constructor(
    private readonly store: ObjectStore,
    private readonly mostBytes: number,
  ) {}

  /** @throws StorageError `missing`; ModelError for bytes that are no network; CoordinatorError where it is too large */
  async open(runId: string, choice: NetworkChoice): Promise<Network> {
    const name = artefactNames.network(runId, choice);
    const held = this.#held.get(name);
    if (held !== undefined) {
      this.#held.delete(name);
      this.#held.set(name, held);
      return held.network;
    }
    const size = (await this.store.head(name))?.size ?? 0;
    if (size > this.mostBytes) throw tooLarge(size, this.mostBytes);
    const bytes = await this.store.get(name);
    const network = Network.from(bytes);
    this.#hold(name, network, bytes.length);
    return network;
  }

  #hold(name: string, network: Network, bytes: number): void {
    if (this.#held.has(name)) return;
    this.#held.set(name, { network, bytes });
    this.#bytes += bytes;
    for (const [oldest, held] of this.#held) {
      if (this.#bytes <= this.mostBytes) return;
      this.#held.delete(oldest);
      this.#bytes -= held.bytes;
    }
  }
}

/** Likelihood of each row, and what makes it odd. @throws ModelError for rows of another width */
export function scoreRows(network: Network, { rows, top = 5 }: ScoreRequest): ScoreAnswer {
  const { dimensions, names } = network;
  checkWork(rows.length, dimensions);
  rows.forEach((row, index) => checkWidth(row.length, dimensions, index));
  const matrix = BitMatrix.fromRows(rows);
  const score = network.score(matrix, { top });
  const answers = rows.map((row, index) => ({
    logLikelihood: score.logLikelihood[index]!,
    surprising: [...score.columns.subarray(index * score.top, (index + 1) * score.top)].map((dimension) => ({
      dimension,
      name: names?.[dimension] ?? null,
      value: row[dimension]!,
      surprise: score.surprise[index * dimensions + dimension]!,
    })),
  }));
  const total = answers.reduce((sum, { logLikelihood }) => sum + logLikelihood, 0);
  return { logLikelihood: total / rows.length, rows: answers };
}

/** Draws rows: the same seed gives the same rows everywhere. */
export function sampleRows(network: Network, { count, seed = 0 }: SampleRequest): SampleAnswer {
  const { dimensions, names } = network;
  checkWork(count, dimensions);
  const values = toValues(network.sample(count, seed));
  const rows = Array.from(
    { length: count },
    (_, row) => [...values.subarray(row * dimensions, (row + 1) * dimensions)] as (0 | 1)[],
  );
  return { names: names === null ? null : [...names], rows };
}

function checkWork(rows: number, dimensions: number): void {
  if (rows * dimensions <= MOST_VALUES) return;
  throw new CoordinatorError('over-limit', {
    got: `${rows} rows of ${dimensions} dimensions`,
    expected: `at most ${MOST_VALUES} values in one request`,
    remedy: 'Ask for fewer rows at a time, or fetch the network and use `orchard evaluate` or `orchard sample`.',
  });
}

function checkWidth(got: number, dimensions: number, row: number): void {
  if (got === dimensions) return;
  throw new CoordinatorError('over-limit', {
    got: `${got} values`,
    expected: `${dimensions}, one for each dimension of the network`,
    where: `row ${row}`,
    remedy: 'Give all dimensions, in stored order.',
  });
}

function tooLarge(size: number, most: number): CoordinatorError {
  return new CoordinatorError('over-limit', {
    got: `a network of ${size} bytes`,
    expected: `at most ${most}, which this coordinator holds in memory`,
    remedy: 'Fetch the network and use `orchard evaluate` or `orchard sample`, or raise ORCHARD_NETWORK_CACHE_BYTES.',
  });
}
