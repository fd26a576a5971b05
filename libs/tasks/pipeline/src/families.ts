import { familyOf } from '@orchard/contracts';
import { mixtureCodec } from '@orchard/members';
import { openModel, type DensityModel, type ModelCodec } from '@orchard/model';
import { PipelineError } from './errors.js';
import { learnedBy, type Family } from './family.js';
import type { RowKind } from './run.js';

/** The kinds of models that a program knows, by name. */
export class Families {
  readonly all: readonly Family[];
  readonly #experimental: Readonly<Record<RowKind, readonly Family[]>>;

  /**
   * @param experimental no measured figure recommends them: they stand last, and whatever lists models says so
   * @param ofTables of the usual ones, those that no figure recommends for tables
   */
  constructor(usual: readonly Family[], experimental: readonly Family[] = [], ofTables: readonly Family[] = []) {
    this.all = [...usual, ...experimental];
    this.#experimental = { bits: experimental, table: [...experimental, ...ofTables] };
  }

  /** @param kind of rows. @default bits */
  isExperimental({ name }: Pick<Family, 'name'>, kind: RowKind = 'bits'): boolean {
    return this.#experimental[kind].some((family) => family.name === name);
  }

  has(name: string): boolean {
    return this.all.some((family) => family.name === name);
  }

  /** @throws PipelineError `unknown-family` */
  named(name: string): Family {
    const found = this.all.find((family) => family.name === name);
    if (found !== undefined) return found;
    throw new PipelineError('unknown-family', {
      got: `the model ${JSON.stringify(name.slice(0, 40))}`,
      expected: this.all.map((family) => family.name).join(' or '),
      remedy: 'Correct the name, or use a release that knows this model.',
    });
  }

  /** What is trained on such rows where no model is named: the first that learns them. */
  usualFor(kind: RowKind): Family {
    return this.learning(kind)[0]!;
  }

  /** Those that learn such rows, in their order. */
  learning(kind: RowKind): readonly Family[] {
    return this.all.filter((family) => learnedBy(family).includes(kind));
  }

  /** That of a specification. @throws PipelineError `unknown-family` */
  of(specification: { readonly family?: string | undefined }): Family {
    return this.named(familyOf(specification));
  }

  /** The model of a file of any of them. @throws ModelError */
  openModel(bytes: Uint8Array): DensityModel {
    return openModel(bytes, codecsOf(this.all));
  }

  /** Every kind of task, by name. */
  get kinds(): readonly string[] {
    return [...new Set(this.all.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)))];
  }

  /** Every state that a run can be in while it is under way. */
  get states(): readonly string[] {
    return [...new Set(this.all.flatMap(({ kinds }) => kinds.map(({ state }) => state)))];
  }
}

/** How the files are read that runs of these families end in: models of theirs, and mixtures of such. */
export function codecsOf(families: readonly Pick<Family, 'codec' | 'otherCodecs'>[]): readonly ModelCodec[] {
  // several kinds may end in models of one
  const own = [...new Set(families.flatMap(({ codec, otherCodecs = [] }) => [codec, ...otherCodecs]))];
  return [...own, mixtureCodec(own)];
}
