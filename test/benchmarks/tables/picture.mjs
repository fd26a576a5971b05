import { writeBars } from '../bars.mjs';

/**
 * Writes held-out density by table and model, as nats per row that Orchard is ahead of each; a model whose density a
 * limit kept from us has no bar.
 */
export function writePicture(path, measured) {
  const bars = measured.flatMap(({ name, densities }) =>
    Object.entries(densities)
      .filter(([peer, { logDensity }]) => peer !== 'orchard' && logDensity !== undefined)
      .map(([peer, { logDensity }]) => ({
        name: `${name}, ${peer}`,
        value: densities.orchard.logDensity - logDensity,
      })),
  );
  writeBars(path, bars, {
    from: 0,
    text: (value) => value.toFixed(2),
    marginLeft: 220,
    x: { label: 'nats a held-out row that Orchard is ahead (left of 0: behind)' },
  });
}
