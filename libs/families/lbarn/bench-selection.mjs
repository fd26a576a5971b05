// Time and memory of the four selections on made-up curves: node libs/families/lbarn/bench-selection.mjs [dimensions]
// [rounds]
import { select, selectionMethods } from '@orchard/logitboost';

const [dimensions = 10_000, rounds = 1_000] = process.argv.slice(2).map(Number);

/**
 * Curves that rise and level off at a pace of their own, the validation one turning down later; a small generator of
 * noise.
 */
let state = 7;
const uniform = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const curves = Array.from({ length: dimensions }, () => {
  const [scale, pace, turn] = [1000 * uniform(), 0.002 + 0.05 * uniform(), 0.3 * uniform()];
  const train = new Float64Array(rounds + 1);
  const valid = new Float64Array(rounds + 1);
  for (let t = 0; t <= rounds; t += 1) {
    const left = scale * Math.exp(-pace * t);
    train[t] = -scale - 10 * left - 0.01 * uniform();
    valid[t] = -scale - 9 * left - turn * t - 0.1 * uniform();
  }
  return { train, valid };
});

for (const method of selectionMethods) {
  const started = performance.now();
  const { trees } = select(method, curves);
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  console.log(`${method.padEnd(20)} ${seconds.padStart(6)} s, ${trees} of ${dimensions * rounds} trees`);
}
console.log(
  `peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB, ${((16 * dimensions * (rounds + 1)) / 2 ** 20).toFixed(0)} MiB of it curves`,
);
