import { familyOf, type RowKind } from '@orchard/contracts';
import { mixtureCodec } from '@orchard/members';
import { openModel, type DensityModel, type ModelCodec } from '@orchard/model';
import { PipelineError } from './errors.js';
import { absentCodecs, absentFamily, type AbsentPackage } from './family-package.js';
import { learnedBy, type Family } from './family.js';

/** Kinds of models beside the usual ones. */
export interface OtherFamilies {
  /** No measured figure recommends them: they stand last, and whatever lists models says so. @default none */
  readonly experimental?: readonly Family[];
  /** Of the usual ones, those that no figure recommends for tables. @default none */
  readonly experimentalOfTables?: readonly Family[];
  /** Packages of experimental ones that are not installed. @default none */
  readonly absent?: readonly AbsentPackage[];
  /** Families whose runs ask a model and end in rows or figures: they are not trained, nor listed. @default none */
  readonly answers?: readonly Family[];
}

/** The kinds of models that a program knows, by name. */
export class Families {
  readonly all: readonly Family[];
  /** Every family that a run may be of: these, and those that ask models. */
  readonly ofRuns: readonly Family[];
  /** Those that packages would add, which are not installed. */
  readonly absent: readonly AbsentPackage[];
  readonly #experimental: Readonly<Record<RowKind, readonly Family[]>>;

  constructor(
    usual: readonly Family[],
    { experimental = [], experimentalOfTables = [], absent = [], answers = [] }: OtherFamilies = {},
  ) {
    this.all = [...usual, ...experimental];
    this.ofRuns = [...this.all, ...answers];
    this.absent = absent;
    this.#experimental = { bits: experimental, table: [...experimental, ...experimentalOfTables] };
  }

  /** @param kind of rows. @default of every kind */
  isExperimental({ name }: Pick<Family, 'name'>, kind?: RowKind): boolean {
    const lists = kind === undefined ? Object.values(this.#experimental) : [this.#experimental[kind]];
    return lists.every((list) => list.some((family) => family.name === name));
  }

  /** Whether runs of this name can be worked on. */
  has(name: string): boolean {
    return this.ofRuns.some((family) => family.name === name);
  }

  /** A kind of model. @throws PipelineError `unknown-family` */
  named(name: string): Family {
    const found = this.all.find((family) => family.name === name);
    if (found !== undefined) return found;
    this.requireInstalled(name);
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

  /** @throws PipelineError `unknown-family` where a package that is not installed has the model: it says which */
  requireInstalled(name: string): void {
    const refusal = absentFamily(name, this.absent);
    if (refusal !== null) throw refusal;
  }

  /** That of a specification. @throws PipelineError `unknown-family` */
  of(specification: { readonly family?: string | undefined }): Family {
    const name = familyOf(specification);
    return this.ofRuns.find((family) => family.name === name) ?? this.named(name);
  }

  /** The model of a file of any of them. @throws ModelError, which names the package that reads it if one is absent */
  openModel(bytes: Uint8Array): DensityModel {
    return openModel(bytes, codecsOf(this.all, absentCodecs(this.absent)));
  }

  /** Every kind of task, by name. */
  get kinds(): readonly string[] {
    return [...new Set(this.ofRuns.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)))];
  }

  /** Every state that a run can be in while it is under way. */
  get states(): readonly string[] {
    return [...new Set(this.ofRuns.flatMap(({ kinds }) => kinds.map(({ state }) => state)))];
  }
}

/**
 * How the files are read that runs of these families end in: models of theirs, and mixtures of such.
 *
 * @param others that members of mixtures may be of too
 */
export function codecsOf(
  families: readonly Pick<Family, 'codec' | 'otherCodecs'>[],
  others: readonly ModelCodec[] = [],
): readonly ModelCodec[] {
  // several kinds may end in models of one
  const own = [...new Set([...families.flatMap(({ codec, otherCodecs = [] }) => [codec, ...otherCodecs]), ...others])];
  return [...own, mixtureCodec(own)];
}
