/**
 * Number of steps of a colour ramp; the page defines one custom property a step, so that a figure is right in light,
 * dark and print.
 */
const RAMP_STEPS = 32;

type Stops = readonly string[];

/** Lightest first on light pages, darkest first on dark ones: the low end always sinks into the page. */
const ramps: Readonly<Record<RampName, { readonly light: Stops; readonly dark: Stops }>> = {
  leaf: {
    light: ['#f1f0e2', '#d3e2b6', '#97c48a', '#4b9a6a', '#1d6a55', '#0c3b3a'],
    dark: ['#1b241f', '#204436', '#2b7352', '#62ab66', '#bcd36f', '#fbf3a8'],
  },
  ember: {
    light: ['#f6efe3', '#f5d6aa', '#eda36d', '#d86449', '#a1323f', '#5b1a38'],
    dark: ['#251f1d', '#54292c', '#97403c', '#db6d4a', '#f2ad66', '#ffe9b4'],
  },
};

export type RampName = 'leaf' | 'ember';

/** CSS colour of a value in [0, 1]. */
export function rampColour(ramp: RampName, share: number): string {
  const step = Math.round(Math.min(1, Math.max(0, share)) * (RAMP_STEPS - 1));
  return `var(--${ramp}-${String(step)})`;
}

/** The custom properties of all ramps for one theme. */
export function rampProperties(theme: 'light' | 'dark'): string {
  return (Object.keys(ramps) as RampName[])
    .flatMap((name) =>
      Array.from(
        { length: RAMP_STEPS },
        (_, step) => `--${name}-${String(step)}:${blend(ramps[name][theme], step / (RAMP_STEPS - 1))};`,
      ),
    )
    .join('');
}

/** Background of a legend: the ramp from low to high. */
export function rampGradient(ramp: RampName): string {
  const steps = Array.from({ length: RAMP_STEPS }, (_, step) => `var(--${ramp}-${String(step)})`);
  return `linear-gradient(90deg,${steps.join(',')})`;
}

function blend(stops: Stops, share: number): string {
  const place = share * (stops.length - 1);
  const lower = Math.min(Math.floor(place), stops.length - 2);
  const [from, to] = [channels(stops[lower]!), channels(stops[lower + 1]!)];
  const mixed = from.map((value, channel) => Math.round(value + (to[channel]! - value) * (place - lower)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}
