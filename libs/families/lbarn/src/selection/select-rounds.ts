import { select, type Curves, type Selection } from '@orchard/logitboost';
import {
  paperSelections,
  selectionDocumentSchema,
  type PaperSelection,
  type SelectionDocument,
  type SelectionMethod,
} from '@orchard/contracts';
import { listAll, type ObjectStore } from '@orchard/storage';
import { concurrently, PipelineError, readDocument, writeDocument } from '@orchard/pipeline';
import { lbarnNames } from '../artefacts/artefacts.js';
import { curvesReach, decodeCurves, type StoredCurves } from '../artefacts/conditional-codec.js';
import type { LbarnRun } from '../run/lbarn-run.js';

/** The selections of a run, with the pooled one where it is wanted. */
export type Selections = Readonly<Record<PaperSelection, SelectionDocument>> & { readonly pooled?: SelectionDocument };

/** Ranged reads under way at once. */
const readsAtOnce = 32;

/**
 * Chooses the rounds of every dimension by the paper's methods, from the curves alone, and stores what they chose. The
 * run's checkpoints are deleted: all conditionals are there. Again, or twice at once, it stores the same bytes.
 *
 * @throws StorageError `missing` where a conditional is not trained; PipelineError `damaged-artefact`
 */
export async function selectRounds(store: ObjectStore, run: LbarnRun): Promise<Selections> {
  if (await isSelected(store, run)) return readSelections(store, run);
  const curves = await readCurves(store, run);
  const documents = paperSelections.map((method) => selectionBy(method, curves));
  for (const document of documents) await writeDocument(store, lbarnNames.selection(run, document.method), document);
  for await (const { name } of listAll(store, lbarnNames.checkpoints(run))) await store.delete(name);
  return byMethod(documents);
}

/** Whether all selections are stored. */
async function isSelected(store: ObjectStore, run: LbarnRun): Promise<boolean> {
  const found = await Promise.all(selectionNames(run).map((name) => store.head(name)));
  return !found.includes(null);
}

/**
 * What was selected. The pooled selection is a function of the curves that nothing else needs: it is made again where
 * it is wanted.
 *
 * @param wanted - the selection of the network in hand
 * @throws StorageError `missing` where some selection is not stored; PipelineError `damaged-artefact`
 */
export async function readSelections(store: ObjectStore, run: LbarnRun, wanted?: SelectionMethod): Promise<Selections> {
  const documents = selectionNames(run).map((name) => readDocument(store, name, selectionDocumentSchema));
  const selections = byMethod(await Promise.all(documents));
  return wanted === 'pooled'
    ? { ...selections, pooled: selectionBy(wanted, await readCurves(store, run)) }
    : selections;
}

/**
 * The curves of trained conditionals by ranged reads of their heads, by stored dimension.
 *
 * @param dimensions all by default
 */
export function readCurves(store: ObjectStore, run: LbarnRun, dimensions?: readonly number[]): Promise<StoredCurves[]> {
  const wanted = dimensions ?? Array.from(run.ordering, (_, dimension) => dimension);
  return concurrently(wanted, readsAtOnce, async (dimension) => {
    const name = lbarnNames.conditional(run, dimension);
    const reach = curvesReach(run.specification.rounds);
    const curves = decodeCurves(await store.get(name, { start: 0, end: reach }), name);
    if (curves.dimension === dimension && curves.finished && curves.valid !== null) return curves;
    throw new PipelineError('damaged-artefact', {
      got: `the ${curves.finished ? 'finished' : 'unfinished'} conditional of dimension ${curves.dimension}`,
      expected: `the finished one of dimension ${dimension}, with a validation curve`,
      where: name,
      remedy: 'Delete this artefact and run again.',
    });
  });
}

/** Summed nats of the test rows at the chosen rounds, in the order of the stored dimensions; null without test rows. */
function testNatsAt(curves: readonly Curves[], rounds: readonly number[]): number | null {
  let sum = 0;
  for (const [dimension, { test }] of curves.entries()) {
    if (test === null) return null;
    sum += test[rounds[dimension]!]!;
  }
  return sum;
}

function selectionBy(method: SelectionMethod, curves: readonly StoredCurves[]): SelectionDocument {
  const withValid = curves.map(({ train, valid }) => ({ train, valid: valid! }));
  return documentOf(select(method, withValid), curves);
}

function documentOf(selection: Selection, curves: readonly StoredCurves[]): SelectionDocument {
  const { method, trees, trainLogLikelihood, validLogLikelihood, commonRounds, path } = selection;
  const rounds = [...selection.rounds];
  return {
    method,
    rounds,
    trees,
    trainLogLikelihood,
    validLogLikelihood,
    testLogLikelihood: testNatsAt(curves, rounds),
    commonRounds: commonRounds ?? null,
    path:
      path === undefined
        ? null
        : { trees: [...path.trees], train: [...path.train], valid: [...path.valid], chosen: path.chosen },
  };
}

function selectionNames(run: LbarnRun): string[] {
  return paperSelections.map((method) => lbarnNames.selection(run, method));
}

function byMethod(documents: readonly SelectionDocument[]): Selections {
  return Object.fromEntries(documents.map((document) => [document.method, document])) as Record<
    SelectionMethod,
    SelectionDocument
  >;
}
