import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../containers/run.mjs';
import { onPath } from '../servers/environment.mjs';

const version = 'helm.sh/helm/v3/cmd/helm@v3.19.0';

/**
 * A helm that is given the chart of the clone: that of PATH, else one that Go builds, once.
 *
 * @param {string} root
 * @param {string} cache
 * @param {(line: string) => void} say
 */
export async function chartOf(root, cache, say) {
  const helm = onPath('helm') ?? (await build(join(cache, 'helm-3.19.0'), say));
  const chart = join(root, 'infra/helm/orchard');
  return {
    /** @param {string} kubeconfig @param {string} command @param {string[]} args */
    withChart: (kubeconfig, command, args) =>
      run(helm, [command, 'orchard', chart, '--kubeconfig', kubeconfig, ...args]),
    /** @param {string} kubeconfig @param {string[]} args */
    run: (kubeconfig, args) => run(helm, [...args, '--kubeconfig', kubeconfig]),
  };
}

/** @param {string} folder @param {(line: string) => void} say */
async function build(folder, say) {
  const helm = join(folder, 'helm');
  if (existsSync(helm)) return helm;
  say('building helm: once, takes some minutes');
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' };
  await run('go', ['install', '-trimpath', '-ldflags=-s -w', version], { cwd: folder, env });
  return helm;
}
