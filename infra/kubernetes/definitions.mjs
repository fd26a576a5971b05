// The custom resources that the chart can make, as their projects define them; without their controllers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { getModule } from './get-control-plane.mjs';

/** Where each is in its project's Go module. */
const definitions = [
  ['sigs.k8s.io/gateway-api', 'v1.2.1', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
  [
    'github.com/prometheus-operator/prometheus-operator',
    'v0.80.1',
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  ],
  [
    'github.com/prometheus-operator/prometheus-operator',
    'v0.80.1',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  ['github.com/kedacore/keda/v2', 'v2.16.1', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  ['github.com/kedacore/keda/v2', 'v2.16.1', 'config/crd/bases/keda.sh_triggerauthentications.yaml'],
];
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** @param {import('./api.mjs').KubernetesApi} api @param {(what: string, ok: boolean) => void} report */
export async function installDefinitions(api, report) {
  for (const [module = '', version = '', file = ''] of definitions) {
    const definition = parse(readFileSync(join(await getModule(module, version), file), 'utf8'));
    await api.post(path, definition);
    while (!(await isServed(api, definition.metadata.name))) await delay(200);
    report(`${definition.spec.names.kind} of ${module} ${version} is known`, true);
  }
}

/** @param {import('./api.mjs').KubernetesApi} api @param {string} name */
async function isServed(api, name) {
  const { status } = await api.get(`${path}/${name}`);
  return (
    status?.conditions?.some((/** @type {any} */ { type, status: is }) => type === 'Established' && is === 'True') ??
    false
  );
}
