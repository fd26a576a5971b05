// Orchard as a program that answers the same requests as peers.py, on one thread.
import { createInterface } from 'node:readline';
import { trainConditional } from '@orchard/logitboost';
import { BitMatrix, readDataset } from '@orchard/dataset';
import { loadKernel, TrainingData } from '@orchard/kernel';
import { emptyEnsemble, Network } from '@orchard/model';

/** The paper's rules: nothing is regularised. */
const paper = {
  start: 'half',
  minLeafWeight: 0,
  maxLeafValue: Infinity,
  l2: 0,
  featureFraction: 1,
  patience: 0,
  seed: 0,
};

/**
 * Milliseconds of this process, all its threads (compiler and collector too), or of the clock on the wall:
 * `ours.mjs [processor|wall]`.
 */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
const now = process.argv[2] === 'wall' ? () => performance.now() : processorTime;

const kernel = await loadKernel('wasm');
let opened = null;
let latest = null;
const trees = new Map();

/** `abreast` rows side by side make one row, of which the first `columns` are kept. */
function sideBySide(matrix, abreast, columns) {
  const wide = BitMatrix.create(Math.floor(matrix.rows / abreast), columns);
  for (let row = 0; row < wide.rows; row++)
    for (let dim = 0; dim < columns; dim++) {
      const source = row * abreast + Math.floor(dim / matrix.dimensions);
      if (matrix.get(source, dim % matrix.dimensions) === 1) wide.set(row, dim, 1);
    }
  return wide;
}

async function read({ train, valid, abreast, columns }) {
  const splits = [];
  for (const path of [train, valid]) {
    const matrix = await readDataset(path);
    splits.push(abreast === 1 ? matrix : sideBySide(matrix, abreast, columns));
  }
  return splits;
}

const lossOf = (curve, rounds, rows) => -curve[rounds] / rows;

function lossesOf({ curves }, rounds, [train, valid]) {
  return { train: lossOf(curves.train, rounds, train.rows), valid: lossOf(curves.valid, rounds, valid.rows) };
}

/** As for the peers, the columns up to the dimension are there before the clock starts. */
function timed({ dimension, leaves, rounds, shrinkage }) {
  const upTo = Uint32Array.from({ length: dimension + 1 }, (_, dim) => dim);
  const [train, valid] = opened.map((matrix) => matrix.selectColumns(upTo));
  const started = now();
  const data = TrainingData.arrange({ train, valid, test: null }, { threads: 1, leaves });
  const trained = trainConditional(kernel, data, dimension, { ...paper, leaves, rounds, shrinkage });
  return { milliseconds: now() - started, trained, data };
}

function networkOf(dimensions, ensembleAt) {
  const ordering = Uint32Array.from({ length: dimensions }, (_, position) => position);
  const ensembles = [...ordering].map(ensembleAt);
  const likelihoods = { train: null, valid: null, test: null };
  return new Network({ ordering, names: null, shape: null, specification: null, likelihoods, ensembles });
}

/** The trees of one conditional, trained once. */
function treesOf(measure) {
  const key = JSON.stringify(measure);
  if (!trees.has(key)) trees.set(key, timed(measure).trained.ensemble);
  return trees.get(key);
}

/** The same trees where only predictors below `position` exist. */
function below(ensemble, position) {
  if (ensemble.splitPredictor.every((predictor) => predictor < position)) return ensemble;
  return { ...ensemble, splitPredictor: ensemble.splitPredictor.map((predictor) => predictor % position) };
}

function leastSeconds(repeats, work) {
  const times = Array.from({ length: repeats }, () => {
    const started = now();
    work();
    return (now() - started) / 1000;
  });
  return Math.min(...times);
}

const requests = {
  async open(data) {
    opened = await read(data);
    latest = null;
    trees.clear();
    return { rows: opened[0].rows, dimensions: opened[0].dimensions };
  },

  train(measure) {
    // the peers try their settings on each dimension before the clock starts; this warms as much of ours
    if (latest?.dimension !== measure.dimension) timed({ ...measure, rounds: Math.min(measure.rounds, 25) });
    latest = measure;
    const { milliseconds, trained, data } = timed(measure);
    const ones = opened[0].columnCounts()[measure.dimension];
    return {
      milliseconds,
      losses: lossesOf(trained, measure.rounds, opened),
      constant: ones === 0 || ones === opened[0].rows,
      bytes: data.handle.memory.buffer.byteLength,
    };
  },

  /** All dimensions one after another, reading included. */
  async whole({ leaves, rounds, shrinkage }, data) {
    const started = performance.now();
    const [train, valid] = await read(data);
    const arranged = TrainingData.arrange({ train, valid, test: null }, { threads: 1, leaves });
    const losses = { train: 0, valid: 0 };
    for (let dim = 0; dim < train.dimensions; dim++) {
      const trained = trainConditional(kernel, arranged, dim, { ...paper, leaves, rounds, shrinkage });
      const one = lossesOf(trained, rounds, [train, valid]);
      losses.train += one.train;
      losses.valid += one.valid;
    }
    return { milliseconds: performance.now() - started, losses };
  },

  /** Rows a second of the trees of one conditional on the validation rows. */
  predict(measure) {
    const { dimension } = measure;
    const ensemble = treesOf(measure);
    const network = networkOf(dimension + 1, (position) => (position === dimension ? ensemble : emptyEnsemble(1)));
    const rows = opened[1].selectColumns(network.ordering);
    const seconds = leastSeconds(5, () => network.probabilities(rows, dimension));
    return { rowsPerSecond: rows.rows / seconds };
  },

  /**
   * Rows a second of a whole network's likelihood on the validation rows; at every position stand the trees of a
   * measured conditional.
   */
  score(measures, standIns) {
    const network = networkOf(opened[0].dimensions, (position) =>
      position === 0 ? emptyEnsemble(1) : below(treesOf(measures[standIns[position]]), position),
    );
    const seconds = leastSeconds(2, () => network.logLikelihood(opened[1]));
    return { rowsPerSecond: opened[1].rows / seconds };
  },

  /** Seconds to draw rows from a network that has the trees of this conditional at every position. */
  sample(measure, rows) {
    const ensemble = treesOf(measure);
    const network = networkOf(opened[0].dimensions, (position) =>
      position === 0 ? emptyEnsemble(1) : below(ensemble, position),
    );
    return { seconds: leastSeconds(1, () => network.sample(rows, 1)) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [[name, argument], ...rest] = Object.entries(JSON.parse(line));
  let answer;
  try {
    answer = await requests[name](argument, ...rest.map(([, value]) => value));
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
}
