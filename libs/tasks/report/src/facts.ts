import type { Refit, Tuned } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';

/**
 * What a report says, as plain numbers: the page is drawn from these facts alone, so that the same facts give the same
 * bytes. All likelihoods are mean nats per row. Nothing here may name a time, a path, a host or a number of threads.
 */
export interface ReportFacts {
  readonly title: string;
  /** What the reader should be warned about, in sentences. */
  readonly warnings: readonly string[];
  /** What the network was trained for: a sentence under the title. */
  readonly run: RunFacts;
  /** What the run chose for itself; null where all settings were given. */
  readonly tuned: Tuned | null;
  readonly dataset: DatasetFacts;
  readonly selections: readonly SelectionFacts[];
  /** The selection whose network the report shows. */
  readonly chosen: { readonly name: string; readonly refit: Refit };
  /** Null where no greedy path was taken. */
  readonly path: PathFacts | null;
  readonly dimensions: DimensionFacts;
  readonly samples: SampleFacts;
  readonly importance: ImportanceFacts;
}

export interface RunFacts {
  readonly id: string;
  /** Settings in the order in which they are listed, values already written out. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

export interface DatasetFacts {
  readonly sha256: string;
  readonly dimensions: number;
  /** Image shape, rows x columns. */
  readonly shape: readonly [number, number] | null;
  readonly rows: { readonly train: number; readonly valid: number; readonly test: number | null };
  /**
   * Held-out likelihood of independent Bernoullis with the training rows' rates: what knowing no dependence is worth.
   */
  readonly independentLogLikelihood: number;
}

export interface SelectionFacts {
  readonly name: string;
  readonly trees: number;
  /** The common selection's one number of rounds. */
  readonly rounds: number | null;
  readonly train: number;
  readonly valid: number;
  readonly test: number | null;
  readonly refitTest: number | null;
}

/** Likelihood along the greedy path; equally long arrays, thinned for drawing. */
export interface PathFacts {
  /** The selection whose path it is. */
  readonly method: string;
  /** Whether that selection chose the network of the report; the individual one has no path of its own. */
  readonly isOfNetwork: boolean;
  readonly trees: ArrayLike<number>;
  readonly train: ArrayLike<number>;
  readonly valid: ArrayLike<number>;
  /** What the path's selection chose. */
  readonly chosen: { readonly trees: number; readonly train: number; readonly valid: number };
}

/** Per stored dimension. */
export interface DimensionFacts {
  readonly names: readonly string[] | null;
  readonly trees: ArrayLike<number>;
  /** Held-out loss, mean nats per row. */
  readonly loss: ArrayLike<number>;
  /** Held-out loss of the dimension on its own, mean nats per row. */
  readonly independentLoss: ArrayLike<number>;
  /** 1 where the network foresees the dimension on the held-out rows better than any one rate would, beyond noise. */
  readonly beyondNoise: ArrayLike<number>;
  /** Nats over all held-out rows that this takes. */
  readonly neededEvidence: number;
  /** Which rows are held out: `test`, or `validation` where there is no test split. */
  readonly heldOut: 'test' | 'validation';
  /** Whether the losses are those before the refit, which has seen the validation rows. */
  readonly beforeRefit: boolean;
}

export interface SampleFacts {
  /** Samples of the network. */
  readonly rows: BitMatrix;
  /** The training row nearest to each sample, as many rows. */
  readonly nearest: BitMatrix;
  /** Number of dimensions in which each differs from its sample. */
  readonly distances: ArrayLike<number>;
  readonly seed: number;
}

export interface ImportanceFacts {
  /** Stored index of the dimension explained. */
  readonly dimension: number;
  /**
   * Share of the summed split gain, per stored dimension; all zero where the conditional has no splits or gains no more
   * than noise.
   */
  readonly shares: ArrayLike<number>;
  /** Where each stored dimension stands in the ordering. */
  readonly positions: ArrayLike<number>;
}
