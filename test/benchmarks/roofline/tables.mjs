// What training decisions of tables adds, searches and moves, counted from its trees.
import { trainConditional } from '@orchard/logitboost';
import { fieldRows, openRowFile, readTrainingRows, SET_BYTES, tableFields } from '@orchard/dataset';
import { TrainingData } from '@orchard/kernel';
// what a task of a run is made of is no export of the family
import { Decisions } from '../../../libs/families/tables/dist/decisions.js';
import { decisionsFor, LEAVES, locateTable, SHRINKAGE, tables } from '../peers/decisions/cases.mjs';
import { leastTime } from './machine.mjs';

const names = ['shoppers', 'default', 'hi', 'diamonds'];
/** All rows, and an eighth of them. */
const LEAST_SHARE = 1 / 8;
const ROUNDS = 100;
const rules = { start: 'base-rate', minLeafWeight: 0.1, maxLeafValue: Infinity, l2: 0.1, featureFraction: 1 };
const options = { ...rules, leaves: LEAVES, rounds: ROUNDS, shrinkage: SHRINKAGE, patience: 0, seed: 0 };

/** Codes of a bundle at most, and for each pattern that a leaf has (libs/core/kernel, bundles.ts). */
const MOST_CODES = 256;
const CODES_PER_PATTERN = 2;
/** By so much a node's patterns are listed (libs/core/kernel, few-patterns.ts). */
const LISTING = 2;
/** Of each pattern its odds, read and written, and its residual and weight, written and read. */
const PATTERN_BYTES = 48;
/** Of each candidate that is scored its sums, written and read, and its score, likewise. */
const CANDIDATE_BYTES = 48;

export const heads = [
  'decision',
  'patterns',
  'fields',
  'bundles',
  'root',
  'below',
  'folding',
  'candidates',
  'MB',
  'measured',
  'additions alone',
  'candidates alone',
  'memory alone',
  'share',
];

/** The training rows of a table's file, in the order of its columns. */
async function opened(path) {
  const file = await openRowFile(path);
  try {
    const files = { train: file, valid: null, test: null };
    const how = { bits: null, table: {}, columns: { onNote: () => {} }, result: 'table', onNote: () => {} };
    const { train } = await readTrainingRows(files, { ...how, fractions: { valid: 0.1 }, seed: 0 });
    const { table } = train.columns.codes;
    const ordering = Uint32Array.from(table.variables.keys());
    const layout = tableFields(table, ordering);
    const splits = { train: fieldRows(train, table, ordering, layout), valid: null, test: null };
    return { table, ordering, layout, data: TrainingData.arrange(splits, { threads: 1, leaves: LEAVES }) };
  } finally {
    await file.close();
  }
}

/** The decisions that are measured, each with what the kernel is given of it. */
function decisionsIn({ table, ordering, data }) {
  const decisions = table.variables.flatMap(({ name }, position) => {
    const all = new Decisions(data, { table, ordering, position });
    return Array.from({ length: all.count }, (_, decision) => {
      const [zeros, ones] = all.counts(decision);
      const learns = zeros > 0 && ones > 0;
      return { name, position, decision, rows: zeros + ones, learns, target: () => all.target(decision) };
    });
  });
  return decisionsFor({ rows: data.rowCount, decisions }).filter(({ share }) => share >= LEAST_SHARE);
}

const hasCode = ({ sets }, at, code) => ((sets[at * SET_BYTES + (code >> 3)] >> (code & 7)) & 1) === 1;

/** Of each code of a field, whether one of its first predictors tells it from the code before it. */
function boundsOf(field, count) {
  const bounds = new Array(field.codes).fill(false);
  if (field.ranges !== null) for (const bound of field.ranges.subarray(0, 2 * count)) bounds[bound] = true;
  else
    for (let code = 1; code < field.codes; code++)
      bounds[code] = Array.from({ length: count }).some(
        (_, at) => hasCode(field, at, code) !== hasCode(field, at, code - 1),
      );
  return bounds;
}

/** The fields in which rows differ: what their codes become, how many there are, and how many splits they have. */
function ownFields({ layout, data }, { predictors, rows }) {
  return layout.fields.flatMap((field, index) => {
    const count = Math.min(field.end, predictors) - field.start;
    if (count <= 0) return [];
    const occurs = new Array(field.codes).fill(false);
    for (const row of rows) occurs[data.rows[row * layout.stride + index]] = true;
    const bounds = boundsOf(field, count);
    const ownOf = new Array(field.codes);
    const first = [];
    let isApart = true;
    for (let code = 0; code < field.codes; code++) {
      isApart ||= bounds[code];
      if (occurs[code] && isApart) {
        first.push(code);
        isApart = false;
      }
      ownOf[code] = first.length - 1;
    }
    if (first.length < 2) return [];
    const sides = Array.from({ length: count }, (_, at) =>
      first
        .map((code) => {
          if (field.ranges === null) return hasCode(field, at, code) ? 1 : 0;
          return code >= field.ranges[2 * at] && code < field.ranges[2 * at + 1] ? 1 : 0;
        })
        .join(''),
    );
    const splits = sides.filter((side, at) => /01|10/.test(side) && (field.ranges === null || side !== sides[at - 1]));
    return [{ index, ownOf, codes: first.length, candidates: splits.length }];
  });
}

/** To the largest field that is left the smallest, as long as they fit: places of own fields, and their product. */
function bundlesOf(own, patterns) {
  const left = [...own.keys()].sort((a, b) => own[b].codes - own[a].codes);
  const most = Math.min(MOST_CODES, Math.floor(patterns / LEAVES) * CODES_PER_PATTERN);
  const bundles = [];
  while (left.length > 0) {
    const members = [left.shift()];
    let { codes } = own[members[0]];
    for (; left.length > 0 && codes * own[left.at(-1)].codes <= most; members.push(left.pop()))
      codes *= own[left.at(-1)].codes;
    bundles.push({ members, codes });
  }
  return bundles;
}

/** Rows that differ in what comes before the decision: one of each kind, and its codes in the own fields. */
function patternsOf({ layout, data }, { predictors, rows }, own) {
  const fields = layout.fields.filter(({ start }) => start < predictors).length;
  const kinds = new Map();
  for (const row of rows) {
    const bytes = data.rows.subarray(row * layout.stride, row * layout.stride + fields);
    const key = bytes.join();
    if (!kinds.has(key)) kinds.set(key, { row, codes: own.map(({ index, ownOf }) => ownOf[bytes[index]]) });
  }
  return [...kinds.values()];
}

/**
 * Of all trees: additions of patterns at the root and below it, entries of tables that are folded, and candidates that
 * are scored. That a node is too light to be searched is left out of account.
 */
function workOf({ data }, ensemble, { own, bundles, patterns }) {
  const candidates = own.reduce((sum, field) => sum + field.candidates, 0);
  const entries = bundles.reduce((sum, { codes }) => sum + codes, 0);
  const occurring = (node) =>
    own.reduce(
      (sum, field, at) => sum + Math.min(field.candidates, new Set(node.map(({ codes }) => codes[at])).size),
      0,
    );
  const work = { root: 0, below: 0, folding: 0, candidates: 0 };
  let split = 0;
  for (const leaves of ensemble.leafCounts) {
    const nodes = [patterns];
    work.root += patterns.length * bundles.length;
    work.folding += entries;
    work.candidates += candidates;
    for (let made = 1; made < leaves; made++, split++) {
      const leaf = ensemble.splitLeaf[split];
      const rows = nodes[leaf].map(({ row }) => row);
      const bits = data.bits(rows, ensemble.splitPredictor[split]);
      const [zeros, ones] = [0, 1].map((bit) => nodes[leaf].filter((_, at) => bits[at] === bit));
      nodes[leaf] = zeros;
      nodes.push(ones);
      // the children of a tree's last split are not searched
      if (made === LEAVES - 1) continue;
      if (rows.length * own.length * LISTING < candidates) {
        work.below += bundles.length * rows.length;
        work.candidates += occurring(zeros) + occurring(ones);
      } else {
        work.below += bundles.length * Math.min(zeros.length, ones.length);
        work.folding += entries;
        work.candidates += 2 * candidates;
      }
    }
  }
  return work;
}

/** The code of a pattern in a bundle: those of its fields are the digits. */
const codeIn = (bundle, own, codes) => bundle.members.reduce((sum, at) => sum * own[at].codes + codes[at], 0);

async function measured(kernel, machine, table, { name, share, target }, repeats) {
  const decision = target();
  let ensemble = null;
  const time = leastTime(repeats, () => ({ ensemble } = trainConditional(kernel, table.data, decision, options)));
  const own = ownFields(table, decision);
  const patterns = patternsOf(table, decision, own);
  const bundles = bundlesOf(own, patterns.length);
  const work = workOf(table, ensemble, { own, bundles, patterns });
  const [root, below, folding, candidates] = Object.values(work).map((count) => count / ROUNDS);
  const bytes = root + below + patterns.length * PATTERN_BYTES + candidates * CANDIDATE_BYTES;
  const codes = patterns.map((pattern) => bundles.map((bundle) => codeIn(bundle, own, pattern.codes)));
  const byAdditions = await machine.nanosecondsByCodes(codes);
  const byScores = machine.nanosecondsByScores(own.reduce((sum, field) => sum + field.candidates, 0));
  return {
    case: `${name}, 1/${Math.round(1 / share)}`,
    ...{ patterns: patterns.length, fields: own.length, bundles: bundles.length },
    ...{ root, below, folding, candidates, megabytes: bytes / 1e6 },
    ...{ nanosecondsAnAddition: byAdditions, nanosecondsACandidate: byScores },
    millisecondsATree: time / ROUNDS,
    boundByAdditions: ((root + below) * byAdditions) / 1e6,
    boundByCandidates: (candidates * byScores) / 1e6,
    boundByMemory: bytes / machine.bandwidth / 1e6,
  };
}

export async function measure(kernel, machine, { folders, repeats, print }) {
  const lines = [];
  for (const name of names) {
    const path = locateTable(
      tables.find((table) => table.name === name),
      folders,
    );
    if (path === null) {
      print(`${name}: left out, it is not in ${folders.join(' or ')} (--data DIR)`);
      continue;
    }
    const table = await opened(path);
    for (const decision of decisionsIn(table)) {
      console.error(`${name}: ${decision.rows} rows that reach decision ${decision.decision} of ${decision.name} …`);
      lines.push({ table: name, ...(await measured(kernel, machine, table, decision, repeats)) });
    }
  }
  return lines;
}

export function lineOf(line) {
  const { millisecondsATree, boundByAdditions, boundByCandidates, boundByMemory } = line;
  return [
    `${line.table}, ${line.case}`,
    ...[line.patterns, line.fields, line.bundles],
    ...[line.root, line.below, line.folding, line.candidates].map((count) => (count / 1000).toFixed(1)),
    line.megabytes.toFixed(2),
    ...[millisecondsATree, boundByAdditions, boundByCandidates, boundByMemory].map((one) => one.toFixed(3)),
    `${((100 * (boundByAdditions + boundByCandidates)) / millisecondsATree).toFixed(0)} %`,
  ];
}
