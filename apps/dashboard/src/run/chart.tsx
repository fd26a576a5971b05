import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

export interface Line {
  readonly name: string;
  /** A custom property of the style sheet. */
  readonly colour: string;
  readonly isDashed?: boolean;
  /** One value for each x; null where there is none. */
  readonly values: readonly (number | null)[];
}

/** What the legend says of a line: the value under the cursor, and the newest without one. */
function shown(
  underCursor: number | null,
  values: ArrayLike<number | null | undefined>,
  words: (value: number) => string,
): string {
  const newest = Array.from(values).findLast((value) => value !== null && value !== undefined);
  const value = underCursor ?? newest;
  return value === null || value === undefined ? '' : words(value);
}

/**
 * Curves over one x. It is drawn anew where the number of lines or the colour scheme changes, and else only given other
 * data.
 */
export function Chart({
  label,
  x,
  xLabel,
  xWords,
  lines,
  height = 240,
}: {
  label: string;
  x: readonly number[];
  xLabel: string;
  xWords: (value: number) => string;
  lines: readonly Line[];
  height?: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data = [x, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
  const shape = lines.map(({ name, colour }) => `${name} ${colour}`).join('|');
  const newest = useRef(data);
  newest.current = data;
  useEffect(() => {
    const element = place.current!;
    const draw = (): void => {
      plot.current?.destroy();
      const style = getComputedStyle(element);
      const colour = (name: string): string => style.getPropertyValue(name).trim();
      const axis = {
        stroke: colour('--muted'),
        grid: { stroke: colour('--line'), width: 1 },
        ticks: { stroke: colour('--line'), width: 1 },
        font: '12px system-ui, sans-serif',
      };
      plot.current = new uPlot(
        {
          width: Math.max(200, element.clientWidth),
          height,
          legend: { show: true, live: true },
          cursor: { drag: { x: true, y: false } },
          scales: { x: { time: false } },
          axes: [
            { ...axis, values: (_, ticks) => ticks.map(xWords), space: 70 },
            { ...axis, size: 62, values: (_, ticks) => ticks.map((tick) => String(Number(tick.toPrecision(6)))) },
          ],
          series: [
            { label: xLabel, value: (own, value: number | null) => shown(value, own.data[0], xWords) },
            ...lines.map(({ name, colour: property, isDashed }) => ({
              label: name,
              stroke: colour(property),
              width: 2,
              ...(isDashed === true ? { dash: [5, 4] } : {}),
              spanGaps: true,
              points: { show: x.length < 3 },
              value: (own: uPlot, value: number | null, series: number) =>
                shown(value, own.data[series] ?? [], (nats) => nats.toFixed(4)),
            })),
          ],
        },
        newest.current,
        element,
      );
    };
    draw();
    const observer = new ResizeObserver(() => {
      plot.current?.setSize({ width: Math.max(200, element.clientWidth), height });
    });
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, height]);
  useEffect(() => {
    plot.current?.setData(newest.current);
  });
  return <div class="chart" role="img" aria-label={label} ref={place} />;
}
