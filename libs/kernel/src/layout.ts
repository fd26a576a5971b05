import { KernelError } from './errors.js';

/** What decides the sizes of the memory's regions. */
export interface Sizing {
  /** Rows of all splits together. */
  readonly rows: number;
  /** Most rows that can be in training: training and validation rows, because a refit pools them. */
  readonly trainingRows: number;
  readonly dimensions: number;
  /** Bytes of a packed row. */
  readonly stride: number;
  /** Most leaves a tree can have. */
  readonly leaves: number;
  readonly threads: number;
}

/** The fields of `State` in assembly/state.ts, in its order; each is a u32. */
export const stateFields = [
  ...['rows', 'rowStride', 'rowCount', 'sharedBits', 'splits', 'groups', 'groupBits'],
  ...['codeStarts', 'codeLists', 'groupCodes', 'groupStride'],
  ...[
    'tallies',
    'buckets',
    'patternRow',
    'patternKeys',
    'odds',
    'gradients',
    'counts',
    'entryStarts',
    'entries',
    'columns',
    'masks',
    'lists',
  ],
  ...['scratch', 'tables', 'histograms', 'scores', 'lastCodes', 'allowed', 'nodes'],
  ...['splitLeaves', 'splitPredictors', 'splitGains', 'leafSums', 'leafFactors'],
  ...[
    'position',
    'predictors',
    'histogramStride',
    'wideEntries',
    'groupCount',
    'lastCommon',
    'leafLimit',
    'leafCount',
    'trainingEnd',
    'patternEnd',
  ],
  ...[
    'maskBytes',
    'listEnd',
    'usedMasks',
    'smallSize',
    'countStride',
    'rounds',
    'reorderAt',
    'classStarts',
    'classSizes',
    'numbers',
  ],
] as const;

export type StateField = (typeof stateFields)[number];

const indexOfField = Object.fromEntries(stateFields.map((field, index) => [field, index])) as Record<
  StateField,
  number
>;

/** A `State` in memory, by the names of its fields. */
export class StateView {
  readonly #fields: Uint32Array;

  constructor(memory: WebAssembly.Memory, address: number) {
    this.#fields = new Uint32Array(memory.buffer, address, stateFields.length);
  }

  get(field: StateField): number {
    return this.#fields[indexOfField[field]]!;
  }

  set(values: Readonly<Partial<Record<StateField, number>>>): void {
    for (const [field, value] of Object.entries(values)) this.#fields[indexOfField[field as StateField]] = value;
  }
}

/** Addresses in the shared memory. */
export interface Layout {
  readonly rows: number;
  readonly sharedBits: number;
  readonly splits: number;
  /** Groups of dimensions with few codes, the bits of each code, and each row's codes (assembly/groups.ts). */
  readonly groups: number;
  readonly groupBits: number;
  readonly codeStarts: number;
  readonly codeLists: number;
  readonly groupCodes: number;
  /** Bytes of a row's codes: a group has at least eight dimensions, but the last. */
  readonly groupStride: number;
  /** Where each thread's workspace begins. */
  readonly workspaces: readonly number[];
  /** Addresses of a workspace's regions, relative to its begin; its `State` lies at 0. */
  readonly regions: Readonly<Partial<Record<StateField, number>>>;
  readonly bytesPerThread: number;
  readonly bytes: number;
}

const CLASSES = 10;
/** Those of patterns in training. */
const TRAINING_CLASSES = 5;
/** Those of patterns with counts. */
const COUNTED_CLASSES = 4;
const MASK_BITS = 128;
/** Kinds of counts that are told apart within a class (assembly/prepare.ts). */
const SIGNATURES = 256;
/** As in assembly/state.ts. */
const TABLE_ENTRIES = 272;
const GROUP_CODES = 256;
const GROUP_BYTES = 16;
const NODE_BYTES = 48;
/** At most 16 large nodes exist at once, and a split takes one more. */
const MASKS = 18;
/** Prefetchers and vector loads may read a little past a region's end; regions begin on cache lines. */
const LINE = 64;

export const PAGE_BYTES = 65536;
const MOST_PAGES = 65536;

/** Rows beyond this would leave fewer than 26 bits behind the grid's binary point. */
export const MOST_ROWS = 2 ** 26;

const aligned = (bytes: number): number => Math.ceil(bytes / LINE) * LINE;

/** Where everything lies. @throws KernelError where it would not fit into the 4 GiB that WASM can address. */
export function layoutOf(sizing: Sizing): Layout {
  const { rows, trainingRows, dimensions, stride, leaves, threads } = sizing;
  const patterns = rows + CLASSES * MASK_BITS;
  const trainingPatterns = trainingRows + TRAINING_CLASSES * MASK_BITS;
  const bytesOfRow = Math.ceil(dimensions / 8);
  // a counted pattern has at least two rows
  const counted = Math.ceil(rows / 2) + COUNTED_CLASSES * MASK_BITS;
  const entryBytes = bytesOfRow * TABLE_ENTRIES > 65536 ? 4 : 2;

  const sizes: Partial<Record<StateField, number>> = {
    tallies: rows * 24,
    buckets: Math.max(CLASSES * SIGNATURES, leaves) * 4,
    patternRow: patterns * 4,
    patternKeys: patterns * 2,
    odds: patterns * 8,
    gradients: trainingPatterns * 16,
    counts: counted * 48,
    entryStarts: (trainingPatterns + 1) * 4,
    // the last store of a row may lie one entry behind its end
    entries: (trainingRows * bytesOfRow + 1) * entryBytes,
    columns: (patterns / 8) * dimensions,
    masks: (patterns / 8) * MASKS,
    lists: patterns * 4,
    scratch: patterns * 4,
    tables: bytesOfRow * TABLE_ENTRIES * 16,
    histograms: leaves * bytesOfRow * 8 * 16,
    scores: bytesOfRow * 8 * 8,
    lastCodes: GROUP_CODES,
    allowed: bytesOfRow * 8 * 8,
    nodes: leaves * NODE_BYTES,
    splitLeaves: leaves * 4,
    splitPredictors: leaves * 4,
    splitGains: leaves * 8,
    leafSums: leaves * 16,
    leafFactors: leaves * 8,
    classStarts: (CLASSES + 1) * 4,
    classSizes: (CLASSES + 1) * 4,
    numbers: 8 * 8,
  };
  const regions: Partial<Record<StateField, number>> = {};
  let bytesPerThread = aligned(stateFields.length * 4);
  for (const [field, size] of Object.entries(sizes) as [StateField, number][]) {
    regions[field] = bytesPerThread;
    bytesPerThread += aligned(size);
  }

  // address 0 stays free, so that 0 can mean "nowhere"
  let end = LINE;
  const place = (size: number): number => {
    const at = end;
    end += aligned(size);
    return at;
  };
  const shared = {
    rows: place(rows * stride),
    sharedBits: place(rows * 4),
    splits: place(rows),
    groups: place(GROUP_BYTES * (bytesOfRow + 1)),
    groupBits: place(bytesOfRow * GROUP_CODES * 8),
    codeStarts: place((dimensions + 1) * 4),
    // a code is written before it is known to belong
    codeLists: place(dimensions * GROUP_CODES + 1),
    groupCodes: place(rows * bytesOfRow),
    groupStride: bytesOfRow,
  };
  const workspaces = Array.from({ length: threads }, () => place(bytesPerThread));
  const bytes = Math.ceil(end / PAGE_BYTES) * PAGE_BYTES;
  if (bytes > MOST_PAGES * PAGE_BYTES)
    throw new KernelError('The data set does not fit into the trainer’s memory', {
      code: 'too-large',
      got: `${rows} rows x ${dimensions} dimensions with ${leaves} leaves and ${threads} threads, ${gibibytes(bytes)}`,
      expected: `at most 4 GiB (${gibibytes(bytesPerThread)} a thread here)`,
      remedy: threads > 1 ? 'Use fewer threads, rows or leaves.' : 'Use fewer rows, dimensions or leaves.',
    });
  return { ...shared, workspaces, regions, bytesPerThread, bytes };
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(2)} GiB`;
}
