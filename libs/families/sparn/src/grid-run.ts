import { ascendingNumbers, baseSpecificationShape, parseContract, severalNumbers } from '@orchard/contracts';
import {
  headOf,
  judgedModel,
  PipelineError,
  type Ending,
  type Run,
  type RunDatasets,
  type Splits,
} from '@orchard/pipeline';
import { sparnFamily, tableOf } from '@orchard/sparn-mixture';
import { countTables, MOST_PARENTS, natsOfTables, networkOfTables, type GridTables } from '@orchard/sparse-network';
import { z } from 'zod';

/**
 * Networks of images whose conditionals are tables of counts (thesis 5.2.2), not regressions: one task, `choose`,
 * counts, and takes the number of parents and the prior by which the validation rows are likeliest.
 */

const MOST_TRIED = 16;
const parentsSchema = z.int().min(2).max(MOST_PARENTS);
const pseudoCountSchema = z.number().min(1e-6).max(1e6);
const USUAL_PSEUDO_COUNTS = [0.03, 0.1, 0.3, 1, 3, 10];

export const gridWords = {
  parents: severalNumbers(
    parentsSchema,
    MOST_TRIED,
    `images: tables of counts instead of regressions, each pixel by that many of top, left, top-left and top-right, or several for validation rows to choose from: numbers from 2 to ${String(MOST_PARENTS)}, separated by commas (default: regressions)`,
  ),
  pseudoCount: severalNumbers(
    pseudoCountSchema,
    MOST_TRIED,
    `with --parents: rows of each value that a line of a table begins with, or several for validation rows to choose from: numbers from 0.000001 to 1000000, separated by commas (default: ${USUAL_PSEUDO_COUNTS.join(',')})`,
  ),
};

export const gridSpecificationSchema = z.strictObject({
  family: z.literal(sparnFamily),
  ...baseSpecificationShape,
  parents: z.array(parentsSchema).min(1).max(MOST_TRIED),
  pseudoCount: z.array(pseudoCountSchema).min(1).max(MOST_TRIED),
});

type GridSpecification = z.infer<typeof gridSpecificationSchema>;
type Words = { readonly [word in keyof typeof gridWords]?: number | readonly number[] | string | undefined };

export function isGrid({ specification }: Run): boolean {
  return 'parents' in specification;
}

/** @throws PipelineError `bad-request` for rows that are no images, and for words of regressions */
export function wholeGridWords(
  { parents, pseudoCount = USUAL_PSEUDO_COUNTS, ...others }: Words & Readonly<Record<string, unknown>>,
  { shape }: RunDatasets['train'],
): Pick<GridSpecification, 'parents' | 'pseudoCount'> {
  // a seed is of the rows that are sampled too
  const other = Object.keys(others).find((word) => word !== 'seed' && others[word] !== undefined);
  if (other !== undefined)
    throw new PipelineError('bad-request', {
      got: `parents ${String(parents)}, and ${other}, which is an option of regressions`,
      expected: 'parents with a pseudocount alone',
      where: 'parents',
      remedy: 'Leave one of them out.',
    });
  if (shape === null)
    throw new PipelineError('bad-request', {
      got: `parents ${String(parents)}, and rows without a shape`,
      expected: 'rows that are images',
      where: 'parents',
      remedy: 'Say their height and width (--shape 28x28), or leave parents out.',
    });
  return { parents: ascendingNumbers(parents!), pseudoCount: ascendingNumbers(pseudoCount) };
}

/** The network of those tables by which the validation rows are likeliest, of equal ones the first. */
export function gridEnding(run: Run, splits: Splits): Ending {
  const { parents, pseudoCount } = parseContract(gridSpecificationSchema, run.specification, 'run specification');
  const { train, valid } = splits;
  const shape = train.shape!;
  const [counts, judged] = [countTables(train, shape), countTables(valid, shape)];
  const tried = parents.flatMap((count) =>
    pseudoCount.map((own) => {
      const tables: GridTables = { parents: count, pseudoCount: own };
      return { ...tables, valid: natsOfTables(counts, judged, tables) / valid.rows };
    }),
  );
  const chosen = tried.reduce((most, one) => (one.valid > most.valid ? one : most));
  const head = headOf(run, train, { chosen });
  const model = judgedModel((likelihoods) => networkOfTables(counts, { ...head, likelihoods }, chosen), splits);
  return { model, figures: { tables: { chosen, tried } }, sections: async () => [await triedSection(tried, chosen)] };
}

async function triedSection(tried: readonly (GridTables & { valid: number })[], chosen: GridTables): Promise<string> {
  const { formatFigure } = await import('@orchard/report');
  const lines = tried.map((one) => {
    const head = `${String(one.parents)}${one === chosen ? ' (chosen)' : ''}`;
    return `<tr><th scope="row">${head}</th><td>${String(one.pseudoCount)}</td><td>${formatFigure(one.valid, 4)}</td></tr>`;
  });
  const note = `Each pixel by a table of its neighbours: top and left, then top-left, then top-right. The validation rows chose among these, so they flatter the chosen one.`;
  return `<section><h2>The tables tried</h2><p class="note">${note}</p>${tableOf(['parents', 'pseudocount', 'nats per row on the validation rows'], lines)}</section>`;
}
