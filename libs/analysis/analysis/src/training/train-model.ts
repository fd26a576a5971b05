import type { BitMatrix } from '@orchard/dataset';
import type { DensityModel } from '@orchard/model';
import type { Family } from '@orchard/pipeline';

/** Share of the rows that choose a model's size. */
export const VALID_SHARE = 0.1;

/** All rows of a file, and the kind of model that learns from them. */
export interface RowsToLearn {
  readonly family: Family;
  /** In the order of the file. */
  readonly rows: BitMatrix;
}

/** A model that an analysis needs, of some of the rows. */
export interface ModelToTrain {
  readonly family: Family;
  /** Among several models of one analysis; null for the only one. */
  readonly name: string | null;
  /** As people read which one it is, such as `weather rain`; null for one that needs no title. */
  readonly title: string | null;
  /** The options that the analysis decides; undefined for one that is not to be given. */
  readonly words: Readonly<Record<string, unknown>>;
  readonly splits: { readonly train: BitMatrix; readonly valid: BitMatrix };
}

/** Trains a model by the caller's options, their seed too, and those of the analysis: one of exact likelihoods. */
export type TrainModel = (model: ModelToTrain) => Promise<DensityModel>;

/** Called with a sentence about what is done next. */
export type OnNote = (note: string) => void;
