// The baseline for tables: likelihood weighting, one importance step.
import { writeCode } from '@orchard/dataset';
import { Purpose, RandomStream } from '@orchard/numerics';
import { UniformStreams } from '@orchard/model';

/** Candidates that are drawn together. */
const TOGETHER = 65_536;

/**
 * Draws `samples` candidates for each row along the ordering: what is hidden from its conditional, among the codes that
 * may fill a blank; what is known stays, and weighs the candidate by its probability. At the end one is taken in
 * proportion to its weight. Rows whose known values come first are not separated.
 *
 * @param truth `codes` and `isHidden` by row and variable, and how far each code of a variable is `allowed`
 */
export function weighTable(model, truth, { seed, samples }) {
  const { rows } = truth;
  const matrix = model.emptyRows(rows);
  const effectiveSampleSize = new Float64Array(rows);
  const logEvidence = new Float64Array(rows);
  const together = Math.max(1, Math.floor(TOGETHER / samples));
  for (let firstRow = 0; firstRow < rows; firstRow += together) {
    const count = Math.min(together, rows - firstRow);
    const { drawn, logs } = candidatesOf(model, truth, { firstRow, count, seed, samples });
    for (let place = 0; place < count; place++) {
      const row = firstRow + place;
      const ofRow = logs.subarray(place * samples, (place + 1) * samples);
      const highest = ofRow.reduce((a, b) => Math.max(a, b));
      const weights = ofRow.map((value) => Math.exp(value - highest));
      const sum = weights.reduce((a, b) => a + b);
      effectiveSampleSize[row] = sum ** 2 / weights.reduce((a, b) => a + b * b, 0);
      logEvidence[row] = highest + Math.log(sum / samples);
      let rest = new RandomStream(seed, 2001, row).uniform() * sum;
      let chosen = 0;
      while (chosen < samples - 1 && rest >= weights[chosen]) rest -= weights[chosen++];
      const at = place * samples + chosen;
      drawn.forEach((codes, position) => {
        const index = model.ordering[position];
        writeCode(matrix, row, model.offsets[index], model.offsets[index + 1], codes[at]);
      });
    }
  }
  return { matrix, effectiveSampleSize, logEvidence };
}

/** Codes of the candidates of some rows by position, and the logarithms of their weights. */
function candidatesOf(model, { codes, isHidden, allowed }, { firstRow, count, seed, samples }) {
  const candidates = count * samples;
  const bits = model.emptyBits(candidates);
  const streams = new UniformStreams(seed, Purpose.complete, candidates);
  const uniforms = new Float64Array(candidates);
  const logs = new Float64Array(candidates);
  const nats = new Float64Array(candidates);
  const drawn = model.conditionals.map((conditional, position) => {
    const index = model.ordering[position];
    const own = new Uint16Array(candidates);
    const [hidden, known] = [[], []];
    for (let at = 0; at < candidates; at++) {
      const cell = (firstRow + Math.floor(at / samples)) * model.variables + index;
      own[at] = codes[cell];
      (isHidden[cell] === 1 ? hidden : known).push(at);
    }
    streams.next(firstRow * samples, position, uniforms);
    if (hidden.length > 0) conditional.draw(bits, Uint32Array.from(hidden), uniforms, allowed[index], own);
    if (known.length > 0) conditional.logProbabilities(bits, own, Uint32Array.from(known), nats);
    for (const at of known) logs[at] += nats[at];
    model.write(position, own, bits, null, 0);
    return own;
  });
  return { drawn, logs };
}
