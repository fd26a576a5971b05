import { parser } from '@prometheus-io/lezer-promql';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** An expression that an alert or dashboard relies on, and where it stands. */
export interface Watched {
  readonly where: string;
  readonly expression: string;
}

/** What an expression asks of a scrape. */
export interface Asked {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  /** What of it is not PromQL; empty where all is. */
  readonly wrong: readonly string[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary?: string; readonly runbook?: string };
  readonly labels: { readonly severity?: string };
}

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const infra = (name: string): string => fileURLToPath(new URL(`../../infra/${name}`, import.meta.url));

export async function alertRules(): Promise<readonly Rule[]> {
  const { groups } = parse(await readFile(infra('helm/orchard/orchard.rules.yaml'), 'utf8')) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

/** The expressions of all panels of the dashboard, its variables filled in, and of all alerts. */
export async function watchedExpressions(): Promise<Watched[]> {
  const { panels } = JSON.parse(await readFile(infra('grafana/orchard.json'), 'utf8')) as { panels: Panel[] };
  const shown = panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: `panel ${title}`, expression: expr.replaceAll('$__rate_interval', '5m') })),
  );
  const alerted = (await alertRules()).map(({ alert, expr }) => ({ where: `alert ${alert}`, expression: expr }));
  return [...shown, ...alerted];
}

/** Takes an expression apart by Prometheus' own grammar. */
export function askedBy(expression: string): Asked {
  const [metrics, labels, wrong] = [new Set<string>(), new Set<string>(), [] as string[]];
  const cursor = parser.parse(expression).cursor();
  do {
    const text = expression.slice(cursor.from, cursor.to);
    if (cursor.type.isError) wrong.push(`"${text}" at ${cursor.from}`);
    if (cursor.name === 'LabelName') labels.add(text);
    if (cursor.name === 'Identifier') metrics.add(text);
  } while (cursor.next());
  return { metrics: [...metrics], labels: [...labels], wrong };
}

/**
 * The series' names that a text of Prometheus' format names, and their labels; null where a metric has no series yet.
 */
export function exposedBy(text: string): ReadonlyMap<string, ReadonlySet<string> | null> {
  const exposed = new Map<string, Set<string> | null>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const suffixes = type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const suffix of suffixes) exposed.set(name + suffix, null);
  }
  for (const [, name = '', list = ''] of text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)) {
    const labels = exposed.get(name) ?? new Set<string>();
    for (const [, label = ''] of list.matchAll(/([a-zA-Z_]\w*)="/g)) labels.add(label);
    exposed.set(name, labels);
  }
  return exposed;
}
