// The notebooks of the Python package as pages: texts, code, and what it printed and drew when it was last run.
import { readdirSync, readFileSync } from 'node:fs';
import { prose } from './commands.mjs';

const examples = new URL('../../../libs/python/orchard-density/examples/', import.meta.url);

/** The notebooks themselves by their names, for readers to download. */
export function notebookFiles() {
  const names = readdirSync(examples).filter((name) => name.endsWith('.ipynb'));
  return names.sort().map((name) => [name, readFileSync(new URL(name, examples), 'utf8')]);
}

/** Pages and their pictures, by their paths. */
export function notebookPages() {
  return notebookFiles().flatMap(([file, text]) => {
    const name = file.replace(/\.ipynb$/, '');
    const pictures = [];
    const parts = JSON.parse(text).cells.map((cell) => textOf(cell, name, pictures));
    const note = `This page is a notebook with the output of its last run: [${file}](./${file}){download}.`;
    return [[`notebooks/${name}.md`, `${[...parts, note].join('\n\n')}\n`], ...pictures];
  });
}

function textOf({ cell_type: type, source, outputs = [] }, name, pictures) {
  if (type === 'markdown') return source.join('');
  return [`\`\`\`python\n${source.join('')}\n\`\`\``, ...outputs.map((output) => shown(output, name, pictures))].join(
    '\n\n',
  );
}

function shown({ output_type: type, text, data }, name, pictures) {
  if (type === 'stream') return `\`\`\`text\n${text.join('').trimEnd()}\n\`\`\``;
  const picture = data['image/png'];
  if (picture === undefined) return tableOf(data['text/html'].join(''));
  const file = `${name}-${pictures.length + 1}.png`;
  pictures.push([`notebooks/${file}`, Buffer.from(picture, 'base64')]);
  return `![What the code above draws](./${file})`;
}

/** A frame as pandas writes it, as a table of Markdown. */
function tableOf(html) {
  const rows = html
    .split('</tr>')
    .map((row) => [...row.matchAll(/<t[hd](?:\s[^>]*)?>([^]*?)<\/t[hd]>/g)].map(([, cell]) => cellOf(cell)))
    .filter((cells) => cells.length > 0);
  const [head, ...body] = rows;
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const cellOf = (html) =>
  prose(html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim()) || ' ';
