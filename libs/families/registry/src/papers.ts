import { loadPackage, type LoadedPackage, type PackageContents } from '@orchard/pipeline';

/** What is said of the package where it is not installed. */
export const contents: PackageContents = {
  name: '@orchard/papers',
  families: ['boosted', 'compositional', 'partition'],
  files: ['bayesian-network', 'decision-network', 'compositional', 'partition', 'table-partition'],
};

/**
 * Kinds of models that are here for their papers (`libs/papers`), in a package of their own. A clone, images and the
 * wheel for Python have it; beside the command line from npm it is installed by who wants it. Whatever asks for a kind
 * of model waits for this: programs make their options of all that there are.
 */
export const papers: LoadedPackage = await loadPackage(contents, () => import('@orchard/papers'));
