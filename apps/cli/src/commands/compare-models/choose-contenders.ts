import { rowKinds } from '@orchard/contracts';
import { families } from '@orchard/registry';
import { isLearnedBy, learnedBy, type ResolvedRun, type RunDatasets, type Splits } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { checkWords, trainingWords } from '../../options/training-flags.js';
import { modelWords } from '../../rows/model-words.js';
import type { RowsFor } from '../../rows/load-training-rows.js';
import { weighedWords } from '../../options/row-weights.js';
import { contenderOf, furtherPresets, type Contender } from './contenders.js';

/** The preset that is dear, and has an option of its own. */
const ACCURATE = 'accurate';

/** A model that is not in the table, and why. */
export interface Missing {
  readonly name: string;
  readonly error: unknown;
}

/**
 * What the rows have to be for the models that were named: of a kind that all of them learn; where there is none,
 * whatever the rows are, and some of the models are left out.
 */
export function rowsForAll(named: readonly Contender[] = []): RowsFor | undefined {
  const learns = rowKinds.filter((kind) => named.every(({ family }) => learnedBy(family).includes(kind)));
  // rows that not every model learns from are reported model by model
  if (learns.length !== 1 || learns[0] === 'bits') return undefined;
  return { names: named.map(({ name }) => name).join(', '), learns };
}

/** Every kind that learns such rows. */
export function usualContenders({ train }: RunDatasets): readonly Contender[] {
  return families.all.filter((family) => isLearnedBy(family, train)).map(({ name }) => contenderOf(name));
}

/** Beside each family its preset of that name. */
export function withAccurate(contenders: readonly Contender[], isWanted: boolean): readonly Contender[] {
  if (!isWanted) return contenders;
  const all = [...new Set(contenders.map(({ family }) => family))].filter((family) =>
    furtherPresets(family).includes(ACCURATE),
  );
  const accurate = all.map(({ name }) => contenderOf(`${name}:${ACCURATE}`));
  return [...contenders, ...accurate.filter(({ name }) => !contenders.some((one) => one.name === name))];
}

/**
 * The run of each contender. Where a family refuses the data, that is reported and the others continue.
 *
 * @throws UsageError for unknown settings
 */
export async function resolveAll(
  contenders: readonly Contender[],
  splits: Splits,
  datasets: RunDatasets,
  { seed, areWeighed }: { readonly seed: number; readonly areWeighed: boolean },
): Promise<{
  readonly runs: readonly { contender: Contender; resolved: ResolvedRun }[];
  readonly refused: readonly Missing[];
}> {
  const runs: { contender: Contender; resolved: ResolvedRun }[] = [];
  const refused: Missing[] = [];
  for (const contender of contenders) {
    const { family, options, name } = contender;
    // a seed of its own would draw no rows
    checkWords(family, trainingWords(options));
    const asked = await modelWords(family, { seed, ...options }, splits.train.columns);
    try {
      const words = areWeighed ? weighedWords(family, asked, datasets) : asked;
      runs.push({ contender, resolved: family.resolve(words, datasets) });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push({ name, error });
    }
  }
  return { runs, refused };
}

/** What could have been compared, and was not. */
export function notTried(contenders: readonly Contender[], { train }: RunDatasets): readonly string[] {
  const others = families.all.filter((family) => !contenders.some((one) => one.family === family));
  const [able, unable] = [true, false].map((is) => others.filter((family) => isLearnedBy(family, train) === is));
  const presets = [...new Set(contenders.map(({ family }) => family))].flatMap((family) =>
    furtherPresets(family).map((preset) => `${family.name}:${preset}`),
  );
  const untried = [...able!.map(({ name }) => name), ...presets].filter(
    (name) => !contenders.some((one) => one.name === name),
  );
  const hasAccurate = untried.some((name) => name.endsWith(`:${ACCURATE}`));
  return [
    ...(untried.length === 0
      ? []
      : [
          `Not tried: ${untried.join(', ')} (--models names them${hasAccurate ? '; --accurate adds the dear and likely one' : ''}), and other settings, as --models ${contenders[0]!.family.name}:… has them.`,
        ]),
    ...(unable!.length === 0
      ? []
      : [
          `Not tried, since they learn ${train.table === undefined ? 'tables' : 'rows of 0 and 1'} alone: ${unable!.map(({ name }) => name).join(', ')}.`,
        ]),
    ...families.absent.map(
      ({ name, families: left }) => `Not tried, since ${name} is not installed, which has them: ${left.join(', ')}.`,
    ),
  ];
}
