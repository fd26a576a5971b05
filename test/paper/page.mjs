/** One page that needs nothing but itself: tables, curves and pictures as SVG. */
export function pageOf({ title, introduction, sections }) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .15rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
td:nth-child(-n+2), th:nth-child(-n+2) { text-align: left; }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; vertical-align: top; max-width: 100%; }
svg { max-width: 100%; height: auto; }
text { fill: currentColor; font-size: 12px; }
.pixels { background: #000; }
</style>
<h1>${escaped(title)}</h1>
${introduction.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
${sections.map(sectionOf).join('\n')}
</html>
`;
}

function sectionOf({ title, notes, table, plot, maps = [], images = [], colours = [] }) {
  return `<h2>${escaped(title)}</h2>
${table === undefined ? '' : tableOf(table)}
${maps.map((map) => figureOf(map.title, mapOf(map))).join('')}${plot === undefined ? '' : figureOf('', plotOf(plot))}
${images.map((image) => figureOf(image.title, picturesOf(image))).join('\n')}
${colours.map((image) => figureOf(image.title, colouredOf(image))).join('\n')}
${notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}`;
}

function tableOf({ head, rows }) {
  const line = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return `<div class="wide"><table>${line(head, 'th')}${rows.map((row) => line(row, 'td')).join('')}</table></div>`;
}

const figureOf = (title, svg) => `<figure>${svg}<figcaption>${escaped(title)}</figcaption></figure>`;

const hues = ['#3b7dd8', '#d2691e', '#2a9d5c'];

function plotOf({ curves, from, across, upward }) {
  const [width, height, left, bottom] = [520, 320, 60, 30];
  const shown = curves.flatMap(({ values }) => values.slice(from));
  const [low, high] = [Math.min(...shown), Math.max(...shown)];
  const last = Math.max(...curves.map(({ values }) => values.length)) - 1;
  const x = (at) => (left + ((at - from) / (last - from)) * (width - left - 10)).toFixed(1);
  const y = (value) => (height - bottom - ((value - low) / (high - low)) * (height - bottom - 10)).toFixed(1);
  const lines = curves.map(({ values }, at) => {
    const points = values.slice(from).map((value, step) => `${x(step + from)},${y(value)}`);
    return `<polyline fill="none" stroke="${hues[at]}" stroke-width="1.5" points="${points.join(' ')}"/>`;
  });
  const names = curves.map(
    ({ name }, at) =>
      `<text x="${width - 130}" y="${height - bottom - 50 + 16 * at}" style="fill:${hues[at]}">${escaped(name)}</text>`,
  );
  const ticks = [low, (low + high) / 2, high].map(
    (value) => `<text x="${left - 6}" y="${y(value)}" text-anchor="end">${value.toFixed(2)}</text>`,
  );
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${escaped(upward)} by ${escaped(across)}">
${lines.join('')}${names.join('')}${ticks.join('')}
<text x="${left}" y="${height - 8}">${from}</text><text x="${width - 10}" y="${height - 8}" text-anchor="end">${last} ${escaped(across)}</text>
<text x="${left + 6}" y="14">${escaped(upward)}</text></svg>`;
}

/** Grey by value: black the least, white the most. */
function mapOf({ values, width, title }) {
  const most = Math.max(...values);
  const cells = values.map((value, at) => {
    const grey = Math.round((255 * value) / most);
    return `<rect x="${at % width}" y="${Math.floor(at / width)}" width="1" height="1" fill="rgb(${grey},${grey},${grey})"/>`;
  });
  return pixels(width, values.length / width, 12 * width, title, cells);
}

/** Images in rows of ten. */
function picturesOf({ rows, width, title }) {
  const height = rows[0].length / width;
  const across = Math.min(10, rows.length);
  const cells = rows.flatMap((values, image) => {
    const [left, top] = [(image % across) * (width + 1), Math.floor(image / across) * (height + 1)];
    return values.flatMap((value, at) => {
      if (value === 0) return [];
      const fill = value === 1 ? '#fff' : '#777';
      return [
        `<rect x="${left + (at % width)}" y="${top + Math.floor(at / width)}" width="1" height="1" fill="${fill}"/>`,
      ];
    });
  });
  return pixels(across * (width + 1), Math.ceil(rows.length / across) * (height + 1), 56 * across, title, cells);
}

/** A colour per pixel, or null for black. */
function colouredOf({ fills, width, title }) {
  const cells = fills.flatMap((fill, at) =>
    fill === null
      ? []
      : [`<rect x="${at % width}" y="${Math.floor(at / width)}" width="1" height="1" fill="${fill}"/>`],
  );
  return pixels(width, fills.length / width, 3 * width, title, cells);
}

function pixels(width, height, shown, title, cells) {
  return `<svg class="pixels" viewBox="0 0 ${width} ${height}" width="${shown}" shape-rendering="crispEdges" role="img" aria-label="${escaped(title)}">${cells.join('')}</svg>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
