import { particlesFor, rowsAtATime, sampleFills } from '@orchard/analysis';
import type { Answering, Given } from './answering.js';
import { BrokenRows } from './broken-rows.js';
import { FilledRows } from './filled-rows.js';
import { evidenceOf, Trust } from './trust.js';

/** Each missing value is sampled, as rules have it: one of what it may be, once or several times a row. */
export function samplesOf(given: Given): Answering {
  const { filler, options, wantsDocument } = given;
  const { model, rules } = filler;
  const ruled = rules?.ruled ?? null;
  const { seed, samples = particlesFor(model, ruled), draws = 1 } = options;
  const trust = new Trust(samples);
  const filling = new FilledRows(given, draws);
  const broken = new BrokenRows(ruled);
  return {
    rowsAtATime: rowsAtATime(model, draws, false),
    answer: async (rows) => {
      const { completions, textsOf } = await sampleFills(filler, rows, { seed, samples, draws });
      return () => {
        broken.see(rows);
        trust.add(completions[0]!);
        const columns = filling.columnsOf(
          rows,
          completions.map((_, draw) => textsOf(draw)),
        );
        return { columns, ofRows: wantsDocument && ruled === null ? evidenceOf(completions[0]!) : {} };
      };
    },
    said: () => {
      const evidence = ruled === null ? { logEvidence: [], logEvidenceError: [] } : {};
      const said = trust.said({ ...evidence, draws, seed, samples });
      return { ...said, warning: broken.warning(said.warning) };
    },
  };
}
