import {
  isInformed,
  membersSummarySchema,
  summaryKeys,
  summarySchema,
  type MemberFigures,
  type MembersSummary,
  type NetworkChoice,
  type RunWarning,
  type Summary,
  type VariantSummary,
} from '@orchard/contracts';
import { mixtureCodec, mixtureOf, type Mixture } from '@orchard/members';
import {
  checkFileBytes,
  MOST_FILE_BYTES,
  Network,
  networkCodec,
  openModel,
  untold,
  type DensityModel,
} from '@orchard/model';
import { log, logSumExp, meanOf } from '@orchard/numerics';
import {
  dataWarnings,
  datasetInSummary,
  documentBytes,
  fileInSummary,
  loadSplits,
  parseDocument,
  readOrdering,
  warningsOfOrdering,
  type Splits,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { lbarnNames } from '../artefacts/artefacts.js';
import { plainSpecification } from '../artefacts/assemble.js';
import { variantOfAll } from '../run/describe-variant.js';
import type { LbarnRun } from '../run/lbarn-run.js';
import { committeeOf } from './committee.js';
import { foldOf, memberOptions, networksOfMember, orderingKindOf } from './member-run.js';

export interface Mixed {
  readonly model: DensityModel;
  readonly summary: MembersSummary;
  readonly splits: Splits;
}

/**
 * Mixes the first members of a run, all with the same weight, and stores the mixture and its summary: the mixture
 * first. Their networks are to be assembled. Where both are stored they are read. Again, or twice at once, it stores
 * the same bytes.
 *
 * What each member adds is measured on the test rows, and where there are none on the validation rows, of which all but
 * one fold have trained it: then the figures only say how members compare.
 *
 * @param held the mixture that is stored, where the caller holds it: it may be gigabytes
 * @throws ModelError `invalid-network` where the mixture would be larger than a file can be: before a member is read
 */
export async function mix(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  held?: DensityModel,
): Promise<Mixed> {
  const splits = await loadSplits(store, run);
  const stored = await storedMixture(store, run, choice, held);
  if (stored !== null) return { ...stored, splits };
  const count = choice.members ?? 1;
  await checkSize(store, run, choice);
  const members: Network[] = [];
  const figures: MemberFigures[] = [];
  const variants: (VariantSummary | undefined)[] = [];
  const warnings = dataWarnings(splits.train, splits.valid.rows);
  let together: Float64Array | null = null;
  for (let member = 0; member < count; member++) {
    const parts = await readParts(store, run, choice, member);
    const [first] = parts as [Part];
    const network =
      parts.length === 1
        ? first.network
        : committeeOf(
            parts.map((part) => part.network),
            aboutMember(run, choice, member),
          );
    const own = network.logLikelihood(splits.test ?? splits.valid);
    together = together === null ? own : together.map((sum, row) => logSumExp([sum, own[row]!]));
    members.push(network);
    for (const warning of warningsOfMember(parts, member)) warnings.push(warning);
    for (const { summary } of parts) variants.push(summary.variant);
    figures.push({
      member,
      ordering: orderingKindOf(memberOptions(run), member),
      folds: networksOfMember(memberOptions(run), member).map((of) => foldOf(memberOptions(run), of)),
      weight: 1 / count,
      trees: network.ensembles.reduce((sum, { leafCounts }) => sum + leafCounts.length, 0),
      foldLogLikelihood: meanOf(
        parts.map(({ summary }) => summary.selections[summaryKeys[choice.selection]]!.validLogLikelihood),
      ),
      heldOutLogLikelihood: meanOf(own),
      togetherLogLikelihood: meanOf(together) - log(member + 1),
    });
  }
  const test = splits.test === null ? null : figures.at(-1)!.togetherLogLikelihood;
  const { selection, refit } = choice;
  const model = mixtureOf({
    members,
    weights: new Float64Array(count).fill(1 / count),
    specification: { runId: run.id, ...plainSpecification(run), selection, refit, count },
    likelihoods: { train: null, valid: null, test },
  });
  for (const warning of await warningsOfOrderings(store, run, count)) warnings.push(warning);
  const summary = await storeMixture(store, run, choice, model, {
    splits,
    figures,
    warnings: firstOfEach(warnings),
    variant: variantOfAll(variants),
  });
  return { model, summary, splits };
}

async function storedMixture(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  held: DensityModel | undefined,
): Promise<Pick<Mixed, 'model' | 'summary'> | null> {
  const [networkName, summaryName] = [lbarnNames.network(run, choice), lbarnNames.summary(run, choice)];
  const found = await Promise.all([store.head(networkName), store.head(summaryName)]);
  if (found.includes(null)) return null;
  const summary = parseDocument(await store.get(summaryName), summaryName, membersSummarySchema);
  const codecs = [networkCodec, mixtureCodec([networkCodec])];
  return { model: held ?? openModel(await store.get(networkName), codecs), summary };
}

/**
 * Says how many members a mixture can have where it cannot have all, by the files of their networks: those are most of
 * it.
 */
async function checkSize(store: ObjectStore, run: LbarnRun, choice: NetworkChoice): Promise<void> {
  const sizes = await Promise.all(
    Array.from({ length: choice.members ?? 1 }, (_, member) => bytesOfMember(store, run, choice, member)),
  );
  let bytes = 0;
  let fitting = 0;
  for (const size of sizes) {
    bytes += size;
    if (bytes <= MOST_FILE_BYTES) fitting++;
  }
  const remedy =
    fitting === 0
      ? 'Train with fewer --leaves or --rounds.'
      : `All networks are kept: ask for fewer members (--members ${fitting}), for which nothing is trained again.`;
  checkFileBytes(bytes, `a mixture of ${sizes.length} members`, remedy);
}

async function bytesOfMember(
  store: ObjectStore,
  run: LbarnRun,
  { selection, refit }: NetworkChoice,
  member: number,
): Promise<number> {
  const entries = await Promise.all(
    networksOfMember(memberOptions(run), member).map((of) =>
      store.head(lbarnNames.network({ id: run.id, of }, { selection, refit })),
    ),
  );
  return entries.reduce((sum, entry) => sum + (entry?.size ?? 0), 0);
}

/** One network of a member, with what is known of it. */
interface Part {
  readonly network: Network;
  readonly summary: Summary;
}

async function readParts(store: ObjectStore, run: LbarnRun, choice: NetworkChoice, member: number): Promise<Part[]> {
  const one = { selection: choice.selection, refit: choice.refit };
  return Promise.all(
    networksOfMember(memberOptions(run), member).map(async (of): Promise<Part> => {
      const place = { id: run.id, of };
      const name = lbarnNames.summary(place, one);
      return {
        network: Network.from(await store.get(lbarnNames.network(place, one))),
        summary: parseDocument(await store.get(name), name, summarySchema),
      };
    }),
  );
}

/** What the file of a committee says of it. */
function aboutMember(run: LbarnRun, { selection, refit }: NetworkChoice, member: number) {
  const specification = { runId: run.id, ...plainSpecification(run), of: { member }, selection, refit };
  return { specification, likelihoods: untold };
}

async function storeMixture(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  model: Mixture,
  {
    splits,
    figures,
    warnings,
    variant,
  }: {
    readonly splits: Splits;
    readonly figures: readonly MemberFigures[];
    readonly warnings: readonly RunWarning[];
    readonly variant: VariantSummary | null;
  },
): Promise<MembersSummary> {
  const file = model.toBytes();
  const summary = membersSummarySchema.parse({
    runId: run.id,
    dataset: datasetInSummary(run),
    judged: splits.test === null ? 'validation' : 'test',
    members: [...figures],
    network: {
      ...fileInSummary(file),
      selection: choice.selection,
      refit: choice.refit,
      members: figures.length,
      testLogLikelihood: model.likelihoods.test,
    },
    warnings,
    ...(variant !== null && { variant }),
    ...(run.tuned !== null && { tuned: run.tuned }),
  });
  await store.put(lbarnNames.network(run, choice), file);
  await store.put(lbarnNames.summary(run, choice), documentBytes(summary));
  return summary;
}

/** That a member had too few rounds; what its rows are worth being warned about is said of the whole. */
function warningsOfMember(parts: readonly Part[], member: number): RunWarning[] {
  return parts
    .flatMap(({ summary }) => summary.warnings ?? [])
    .filter(({ code }) => code === 'rounds-limit')
    .map(({ code, message }) => ({ code, message: `Of member ${member}: ${message}` }));
}

/** That an ordering was found by less than all there is. */
async function warningsOfOrderings(store: ObjectStore, run: LbarnRun, count: number): Promise<RunWarning[]> {
  const kinds = new Set(Array.from({ length: count }, (_, member) => orderingKindOf(memberOptions(run), member)));
  const { rows } = run.datasets.train;
  const warnings: RunWarning[] = [];
  for (const kind of kinds) {
    if (!isInformed(kind)) continue;
    for (const warning of warningsOfOrdering(kind, await readOrdering(store, run, kind), rows)) warnings.push(warning);
  }
  return warnings;
}

/** One warning of a code is enough: the others say it again of other members. */
function firstOfEach(warnings: readonly RunWarning[]): RunWarning[] {
  return [...new Map([...warnings].reverse().map((warning) => [warning.code, warning])).values()].reverse();
}
