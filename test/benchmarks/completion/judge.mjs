// What answers of one method are worth, over several seeds.

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rootMeanSquare = (values) => Math.sqrt(mean(values.map((value) => value ** 2)));

/**
 * Hits of a draw over the hidden cells; log P of what is hidden, a cell, in two ways: by the draws' own frequencies,
 * (hits + 1/2) / (draws + 1), which does not favour a method that misjudges the evidence, and by log P(row) - log
 * P(known), which is too high where log P(known) is too low; log of the estimated P(known), which is too low on
 * average, so higher is nearer; how far that strays between seeds.
 *
 * @param cells `{ rows, columns, codes, isHidden, logJoint, codesOf }`: codes of the true rows and whether each is
 *   hidden, by row and column, log P of each true row, and the codes of a completed matrix
 * @param complete answers a seed
 */
export function judge({ method, samples, draws, cells, complete }) {
  const { rows, columns, codes, isHidden, logJoint, codesOf } = cells;
  const hits = new Uint32Array(rows * columns);
  const evidence = Array.from({ length: rows }, () => []);
  const sizes = [];
  const errors = [];
  const seconds = [];
  for (let seed = 0; seed < draws; seed++) {
    const started = process.cpuUsage();
    const completion = complete(seed);
    const { user, system } = process.cpuUsage(started);
    seconds.push((user + system) / 1e6);
    sizes.push(...completion.effectiveSampleSize);
    errors.push(...(completion.logEvidenceError ?? []));
    completion.logEvidence.forEach((nats, row) => evidence[row].push(nats));
    codesOf(completion.matrix).forEach((code, cell) => {
      if (code === codes[cell]) hits[cell]++;
    });
  }
  let holes = 0;
  let matched = 0;
  let logs = 0;
  isHidden.forEach((hidden, cell) => {
    if (hidden === 0) return;
    holes++;
    matched += hits[cell];
    logs += Math.log((hits[cell] + 0.5) / (draws + 1));
  });
  const straying = evidence.map((ofRow) =>
    Math.sqrt((mean(ofRow.map((x) => (x - mean(ofRow)) ** 2)) * draws) / (draws - 1)),
  );
  const logEvidence = mean(evidence.map(mean));
  return {
    method,
    samples,
    hits: matched / holes / draws,
    logProbabilityOfHidden: logs / holes,
    logProbabilityOfHiddenByEvidence: ((mean([...logJoint]) - logEvidence) * rows) / holes,
    logEvidence,
    logEvidenceDeviation: rootMeanSquare(straying),
    logEvidenceErrorReported: errors.length === 0 ? null : rootMeanSquare(errors),
    effectiveSampleSize: mean(sizes),
    leastEffectiveSampleSize: sizes.reduce((a, b) => Math.min(a, b)),
    seconds: seconds.reduce((a, b) => Math.min(a, b)),
  };
}
