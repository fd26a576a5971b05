import { ModelError, type ModelCodec } from '@orchard/model';
import { PipelineError } from './errors.js';
import type { Family } from './family.js';

/** What a package of kinds of models exports. */
export interface FamilyPackage {
  readonly families: readonly Family[];
}

/** A package that may not be installed, and what it has: so that a program without it can say where that is. */
export interface PackageContents {
  readonly name: string;
  /** The kinds of models. */
  readonly families: readonly string[];
  /** The families in the heads of the files that they read. */
  readonly files: readonly string[];
}

export interface AbsentPackage extends PackageContents {
  /** What Node said where the package is there and was not loaded; null where it is not there. */
  readonly failure: string | null;
}

/** A package's families, or why there are none. */
export interface LoadedPackage {
  readonly families: readonly Family[];
  readonly absent: AbsentPackage | null;
}

/** @param load imports the package. A program runs without it, whatever is wrong with it, until it is asked for. */
export async function loadPackage(
  contents: PackageContents,
  load: () => Promise<FamilyPackage>,
): Promise<LoadedPackage> {
  try {
    return { families: (await load()).families, absent: null };
  } catch (error) {
    const failure = isNotInstalled(error, contents.name) ? null : (error as Error).message;
    return { families: [], absent: { ...contents, failure } };
  }
}

/** @param packages that are absent. The refusal of a model that one of them has; null where none has it */
export function absentFamily(name: string, packages: readonly AbsentPackage[]): PipelineError | null {
  const found = packages.find(({ families }) => families.includes(name));
  if (found === undefined) return null;
  return new PipelineError('unknown-family', {
    got: `the model ${JSON.stringify(name)}`,
    expected: `the package ${found.name}, which trains it`,
    remedy: remedyFor(found),
  });
}

/** Instead of the codecs of packages that are absent: each says what reads the file. */
export function absentCodecs(packages: readonly AbsentPackage[]): readonly ModelCodec[] {
  return packages.flatMap((absent) =>
    absent.files.map((family) => ({
      family,
      read: () => {
        throw new ModelError('unknown-family', {
          got: `a model of the family ${JSON.stringify(family)}`,
          expected: `the package ${absent.name}, which reads it`,
          where: 'family',
          remedy: remedyFor(absent),
        });
      },
    })),
  );
}

function remedyFor({ name, failure }: AbsentPackage): string {
  if (failure === null) return `Install it beside this program: npm install --global ${name}`;
  return `It is installed and was not loaded (${failure}). Install the ${name} of this program's own release.`;
}

/** Not where the package is there and lacks something itself. */
function isNotInstalled(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`);
}
