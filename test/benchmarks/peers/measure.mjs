// Alternating measurements of one case, and what they say.

/** Programs that grow the same model. */
export const libraries = ['xgboost', 'lightgbm', 'catboost', 'ydf'];

const TOLERANCE = 1.01;

/** A case is repeated only while its repetitions together stay below this. */
const BUDGET_MS = 40_000;

/**
 * Asks every program in turn, again and again. The least time of each counts: on a busy machine noise only ever adds.
 * Losses do not change from one repetition to the next. A program that refuses the case (one value only) answers null.
 */
export async function alternate(programs, request, repeats) {
  const best = Object.fromEntries(programs.map(({ name }) => [name, null]));
  let spent = 0;
  for (let repeat = 0; repeat < repeats && spent * (1 + 1 / Math.max(1, repeat)) < BUDGET_MS; repeat++) {
    for (const program of programs) {
      const answer = await program.ask(request);
      if (answer.error !== undefined) {
        if (program.name === 'ours') throw new Error(`Orchard failed on ${JSON.stringify(request)}: ${answer.error}`);
        continue;
      }
      spent += answer.milliseconds;
      if (best[program.name] === null || answer.milliseconds < best[program.name].milliseconds)
        best[program.name] = answer;
    }
  }
  return best;
}

const notAbove = (losses, others) =>
  losses.train <= others.train * TOLERANCE && losses.valid <= others.valid * TOLERANCE;

/** The fastest library whose losses are within 1 % of ours or better, or null. */
export function fastestPeer(best) {
  const equals = libraries.filter((name) => best[name] && notAbove(best[name].losses, best.ours.losses));
  return equals.reduce(
    (fastest, name) => (fastest === null || best[name].milliseconds < best[fastest].milliseconds ? name : fastest),
    null,
  );
}

/**
 * Ours counts only while our losses are no more than 1 % above that peer's; a constant target leaves nothing to lose.
 */
export function equalLoss(best, peer) {
  return best.ours.constant || notAbove(best.ours.losses, best[peer].losses);
}

/** One entry of the report: times are divided by `unit` (rounds, or 1,000 for seconds). */
export function entry(name, best, unit) {
  const peer = fastestPeer(best);
  const time = (program) => (best[program] ? best[program].milliseconds / unit : null);
  return {
    name,
    ours: time('ours'),
    ...Object.fromEntries(libraries.map((library) => [library, time(library)])),
    ratio: peer === null ? null : best[peer].milliseconds / best.ours.milliseconds,
    losses: Object.fromEntries(Object.entries(best).map(([program, answer]) => [program, answer?.losses ?? null])),
  };
}

export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
