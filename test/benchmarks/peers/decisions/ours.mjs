// Orchard as a program that trains decisions of a table, on one thread, by the build in a folder:
// `ours.mjs FOLDER`. Requests and answers are lines of JSON, as peers.py has them.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const build = process.argv[2];
const resolve = createRequire(join(build, 'package.json')).resolve;
const load = (path) => import(pathToFileURL(path).href);
const { trainConditional } = await load(resolve('@orchard/logitboost'));
const { loadKernel } = await load(resolve('@orchard/kernel'));
const { BitMatrix, codeCount, codeOffsets, decisionTreeOf, openRowFile, pathsOf, predictorCount, predictorOffsets } =
  await load(resolve('@orchard/dataset'));
const { holeCode, readCodes, readTrainingRows, setPredictorBits } = await load(resolve('@orchard/dataset'));
const { registerDataset } = await load(resolve('@orchard/pipeline'));
const { FilesystemStore } = await load(resolve('@orchard/storage'));
const { tables } = await load(resolve('@orchard/tables'));
// what a task of a run is made of is no export of the family
const within = (file) => load(join(dirname(resolve('@orchard/tables')), file));
const { tablesRun } = await within('tables-run.js');
const { arrangeTable } = await within('training-data.js');
const { trainVariable } = await within('train-variable.js');
const { VariableWork } = await within('variable-work.js');
const targetOf = await targets();

/** How a build makes a decision of a variable; builds of before November 27 made all of them at once. */
async function targets() {
  const { decisionsOf } = await within('train-variable.js');
  if (decisionsOf !== undefined) return (data, place, decision) => decisionsOf(data, place)[decision];
  const { Decisions } = await within('decisions.js');
  return (data, place, decision) => new Decisions(data, place).target(decision);
}

/** Milliseconds of this process with all its threads, compiler and collector too. */
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const WARM_ROUNDS = 25;
/** As the default has them, without its clamp of leaf values, which not every library has. */
const usual = { start: 'base-rate', minLeafWeight: 0.1, maxLeafValue: Infinity, l2: 0.1, seed: 0 };

const kernel = await loadKernel('wasm');
let table = null;
let warmed = null;

async function read(path) {
  const file = await openRowFile(path);
  try {
    const fractions = { valid: 0.1 };
    const how = { bits: null, table: {}, columns: { onNote: () => {} }, result: 'table' };
    return await readTrainingRows(
      { train: file, valid: null, test: null },
      { ...how, fractions, seed: 0, onNote: () => {} },
    );
  } finally {
    await file.close();
  }
}

/** Codes of all variables, rows of training before those of validation. */
function codesOf({ train, valid }, { variables }) {
  const offsets = codeOffsets({ variables });
  return variables.map((_, index) => {
    const codes = new Uint16Array(train.rows + valid.rows);
    codes.set(readCodes(train, offsets[index], offsets[index + 1]));
    codes.set(readCodes(valid, offsets[index], offsets[index + 1]), train.rows);
    return codes;
  });
}

/** By decision and code: 0, 1, or 2 where the code does not reach the decision. */
function outcomesOf(variable) {
  const tree = decisionTreeOf(variable);
  const outcomes = Array.from(tree.zero, () => new Uint8Array(codeCount(variable)).fill(2));
  pathsOf(tree).forEach((path, code) => {
    for (const { decision, outcome } of path) outcomes[decision][code] = outcome;
  });
  return outcomes;
}

/**
 * What a library gets of a variable, by code: a number that rises where one more cut point is passed, or a label. The
 * same splits as by our predictor bits are possible, and none more. A number that is missing is NaN.
 */
function featureOf(variable) {
  const codes = Uint16Array.from({ length: codeCount(variable) }, (_, code) => code);
  if (variable.kind === 'categorical') return { isLabel: true, values: Float32Array.from(codes) };
  // nothing splits on a column whose cut points say nothing
  if (predictorCount(variable) === 0) return { isLabel: false, values: new Float32Array(codes.length) };
  const bits = BitMatrix.create(codes.length, predictorCount(variable));
  setPredictorBits(bits, 0, variable, codes);
  const cuts = variable.kind === 'ordered' ? variable.cuts.length : 1;
  const sizes = Array.from(codes, (code) => {
    let size = 0;
    for (let bit = 0; bit < bits.dimensions; bit++)
      size += bits.get(code, bit) * (bit < cuts ? bits.dimensions : bit / bits.dimensions);
    return size;
  });
  const ranks = [...new Set(sizes.filter((_, code) => code !== holeCode(variable)))].sort((a, b) => a - b);
  return {
    isLabel: false,
    values: Float32Array.from(sizes, (size, code) => (code === holeCode(variable) ? NaN : ranks.indexOf(size))),
  };
}

/** All that the libraries read: features and codes column by column, and what each decision is of each code. */
function writeForPeers(folder, { codes, variables, train }) {
  mkdirSync(folder, { recursive: true });
  const features = variables.map(featureOf);
  const rows = codes[0].length;
  const values = new Float32Array(rows * variables.length);
  const all = new Uint16Array(rows * variables.length);
  codes.forEach((own, index) => {
    const byCode = features[index].values;
    own.forEach((code, row) => (values[index * rows + row] = byCode[code]));
    all.set(own, index * rows);
  });
  writeFileSync(join(folder, 'features.f32'), values);
  writeFileSync(join(folder, 'codes.u16'), all);
  const outcomes = variables.map((variable) => outcomesOf(variable).map((byCode) => byCode.join('')));
  const labels = features.map(({ isLabel }) => isLabel);
  writeFileSync(join(folder, 'table.json'), JSON.stringify({ rows, train, labels, outcomes }));
}

/** Each decision, with how many rows reach it, and whether there is something to learn. */
function listed({ codes, variables, train }) {
  return variables.flatMap((variable, position) => {
    const counts = [new Uint32Array(codeCount(variable)), new Uint32Array(codeCount(variable))];
    codes[position].forEach((code, row) => counts[row < train ? 0 : 1][code]++);
    return outcomesOf(variable).map((byCode, decision) => {
      const [ofTrain, ofValid] = counts.map((own) => {
        const sums = [0, 0, 0];
        byCode.forEach((outcome, code) => (sums[outcome] += own[code]));
        return sums;
      });
      const reaching = { train: ofTrain[0] + ofTrain[1], valid: ofValid[0] + ofValid[1] };
      const rows = reaching.train + reaching.valid;
      const learns = ofTrain[0] > 0 && ofTrain[1] > 0 && reaching.valid > 0;
      return { position, decision, variable: variable.name, rows, reaching, learns };
    });
  });
}

const boosting = ({ leaves, rounds, shrinkage, featureFraction, patience = 0 }) => ({
  ...{ ...usual, leaves, rounds, shrinkage, featureFraction, patience },
});

function trained({ position, decision, ...options }) {
  // a variable's decisions are set up together, for all that is trained of them
  const target = targetOf(table.data, { ...table.of, position }, decision);
  const began = now();
  const result = trainConditional(kernel, table.data, target, boosting(options));
  return { milliseconds: now() - began, result };
}

/** Mean nats of the rows that reach it. */
function lossesOf({ curves }, { position, decision }) {
  const { reaching } = table.decisions.find((one) => one.position === position && one.decision === decision);
  return { train: -curves.train.at(-1) / reaching.train, valid: -curves.valid.at(-1) / reaching.valid };
}

/** The same of trees that are the same. */
function fingerprint({ ensemble }) {
  const hash = createHash('sha256');
  for (const array of Object.values(ensemble)) {
    if (ArrayBuffer.isView(array)) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    else hash.update(String(array));
  }
  return hash.digest('hex').slice(0, 16);
}

const best = (curve) => curve.reduce((most, nats) => Math.max(most, nats), -Infinity);

const requests = {
  /** Opens a table; `folder` is where its features go, for the libraries. */
  async open({ path, folder, store: place, leaves }) {
    const splits = await read(path);
    const store = new FilesystemStore(place);
    const train = await registerDataset(store, splits.train);
    const valid = await registerDataset(store, splits.valid);
    const resolved = tables.resolve({ leaves, members: 1 }, { train, valid, test: null });
    const run = tablesRun({
      ...{ id: resolved.runId, family: tables.name, specification: resolved.specification },
      datasets: { train, valid, test: null },
    });
    const began = now();
    const data = await arrangeTable(store, run, 1);
    const arranging = now() - began;
    const { variables } = run.table;
    const facts = { codes: codesOf(splits, run.table), variables, train: splits.train.rows };
    if (folder !== null) writeForPeers(folder, facts);
    const decisions = listed(facts);
    table = { of: { table: run.table, ordering: run.ordering, revision: 4 }, data, arranging, decisions };
    warmed = null;
    const predictors = predictorOffsets(run.table, run.ordering);
    return {
      ...{ rows: facts.codes[0].length, columns: variables.length, predictors: predictors[variables.length] },
      ...{ decisions, arranging, bytes: data.handle.memory.buffer.byteLength },
    };
  },

  /** A decision; the table's arrangement is shared out over its decisions. */
  train(request) {
    const what = `${request.position}/${request.decision}`;
    if (warmed !== what) trained({ ...request, rounds: Math.min(request.rounds, WARM_ROUNDS) });
    warmed = what;
    const { milliseconds, result } = trained(request);
    return {
      milliseconds: milliseconds + table.arranging / table.decisions.length,
      losses: lossesOf(result, request),
      trees: fingerprint(result),
    };
  },

  /** All variables: rounds by validation rows, the refit and the rules, as a run has them. */
  whole(request) {
    const { arranging, data, of } = table;
    const hash = createHash('sha256');
    const began = now();
    let nats = 0;
    for (let position = 0; position < of.ordering.length; position++) {
      const work = new VariableWork(kernel, data);
      const { ensembles } = trainVariable(work, { ...of, position, options: boosting(request) });
      for (const { curves } of work.decisions) nats += best(curves.valid);
      for (const ensemble of ensembles) hash.update(fingerprint({ ensemble }));
    }
    const valid = -nats / data.validationRows;
    return { milliseconds: now() - began + arranging, losses: { valid }, trees: hash.digest('hex').slice(0, 16) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [[name, argument]] = Object.entries(JSON.parse(line));
  let answer;
  try {
    answer = await requests[name](argument);
  } catch (error) {
    answer = { error: error.stack ?? error.message };
  }
  console.log(JSON.stringify(answer));
}
