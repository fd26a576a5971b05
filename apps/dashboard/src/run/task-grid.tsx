import type { TaskGrid } from '@orchard/contracts';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count, counted } from '../words.js';

type Stage = TaskGrid['stages'][number];

/** What the letters of a grid are called, and the colour of each. */
const meanings: Readonly<Record<string, readonly [words: string, colour: string]>> = {
  s: ['stored', '--accent'],
  a: ['at work', '--active'],
  w: ['waiting', '--faint'],
  r: ['failed, tried again', '--warn'],
  f: ['given up', '--second'],
};

const [gap, largest, smallest] = [2, 16, 5];

/**
 * All tasks of a stage on one canvas: thousands of elements would make the page crawl. Drawn again when a letter has
 * changed. The arrow keys move over it, Enter opens; below it stands in words what the colours say.
 */
export function Grid({
  stage,
  chosen,
  onChoose,
}: {
  stage: Stage;
  chosen: string | null;
  onChoose: (task: string) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [at, setAt] = useState(0);
  const [isDark, setIsDark] = useState(matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      setWidth(Math.floor(entry!.contentRect.width));
    });
    observer.observe(canvas.current!.parentElement!);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => {
      setIsDark(scheme.matches);
    };
    scheme.addEventListener('change', change);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', change);
    };
  }, []);
  const { keys, states, kind } = stage;
  const { cell, columns, height } = useMemo(() => layoutOf(keys.length, width), [keys.length, width]);
  const chosenAt = chosen === null ? -1 : keys.indexOf(chosen.slice(kind.length + 1));
  useEffect(() => {
    const element = canvas.current!;
    if (width === 0) return;
    const scale = devicePixelRatio;
    element.width = width * scale;
    element.height = height * scale;
    const context = element.getContext('2d')!;
    context.scale(scale, scale);
    const style = getComputedStyle(element);
    for (const [letter, [, name]] of Object.entries(meanings)) {
      context.fillStyle = style.getPropertyValue(name);
      for (let i = 0; i < states.length; i++) {
        if (states[i] !== letter) continue;
        context.fillRect((i % columns) * cell, Math.floor(i / columns) * cell, cell - gap, cell - gap);
      }
    }
    if (chosenAt < 0) return;
    context.strokeStyle = style.getPropertyValue('--ink');
    context.lineWidth = 2;
    const [x, y] = [(chosenAt % columns) * cell, Math.floor(chosenAt / columns) * cell];
    context.strokeRect(x, y, cell - gap, cell - gap);
  }, [states, width, height, cell, columns, chosenAt, isDark]);
  const indexAt = (event: MouseEvent): number => {
    const box = canvas.current!.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / cell);
    const index = Math.floor((event.clientY - box.top) / cell) * columns + column;
    return column < columns && index < keys.length ? index : -1;
  };
  const choose = (index: number): void => {
    if (index < 0 || index >= keys.length) return;
    setAt(index);
    onChoose(`${kind}/${keys[index]!}`);
  };
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  const counts = Object.entries(meanings).map(
    ([letter, [words, colour]]) => [words, colour, states.split(letter).length - 1] as const,
  );
  const label = counts.flatMap(([words, , many]) => (many > 0 ? `${count(many)} ${words}` : [])).join(', ');
  return (
    <figure class="grid">
      <div>
        <canvas
          ref={canvas}
          style={{ width: `${String(width)}px`, height: `${String(height)}px` }}
          tabIndex={0}
          role="application"
          aria-label={`${counted(keys.length, 'task')} of ${kind}: ${label}. Arrow keys choose one.`}
          onClick={(event) => {
            choose(indexAt(event));
          }}
          onMouseMove={(event) => {
            const index = indexAt(event);
            const key = keys[index];
            const state = meanings[states[index] ?? '']?.[0];
            canvas.current!.title = key === undefined ? '' : `${kind}/${key}: ${state ?? ''}`;
          }}
          onKeyDown={(event) => {
            const move = moves[event.key];
            if (move === undefined) return;
            event.preventDefault();
            choose(chosenAt < 0 ? at : Math.min(keys.length - 1, Math.max(0, chosenAt + move)));
          }}
        />
      </div>
      <figcaption>
        {counts
          .filter(([, , many]) => many > 0)
          .map(([words, colour, many]) => (
            <span key={words}>
              <i style={{ background: `var(${colour})` }} /> {count(many)} {words}
            </span>
          ))}
        {stage.total > keys.length && <span>{count(stage.total - keys.length)} to come</span>}
      </figcaption>
    </figure>
  );
}

/** As large as fits some lines of them, as small as can still be distinguished. */
function layoutOf(many: number, width: number): { cell: number; columns: number; height: number } {
  let cell = largest;
  while (cell > smallest && Math.ceil(many / Math.max(1, Math.floor(width / cell))) * cell > 260) cell--;
  const columns = Math.max(1, Math.floor((width + gap) / cell));
  return { cell, columns, height: Math.max(1, Math.ceil(many / columns)) * cell };
}
