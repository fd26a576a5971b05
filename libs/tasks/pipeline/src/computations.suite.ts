import type { Computations } from './compute.js';

/**
 * Functions of built code as threads load it, which a test writes where they are read: they may use nothing around
 * them.
 */
export function written(functions: Readonly<Record<string, string>>): Computations {
  const entries = Object.entries(functions).map(([name, text]) => `${JSON.stringify(name)}: ${text}`);
  const source = `export const computations = { ${entries.join(', ')} };`;
  return { module: new URL(`data:text/javascript,${encodeURIComponent(source)}`), functions: {} };
}
