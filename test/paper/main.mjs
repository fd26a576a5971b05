// npm run paper: the paper's tables and figures, ours beside the paper's, on one page.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, runPlainly } from '../../infra/command-line.mjs';
import { digits } from './digits.mjs';
import { ellipses } from './ellipses.mjs';
import { gaussianExperts } from './gaussian-experts.mjs';
import { leavesAndImportance, threeCopies } from './letters.mjs';
import { pageOf } from './page.mjs';
import { Runs } from './runs.mjs';
import { scene } from './scene.mjs';
import { smoothedTrees } from './smoothed-trees.mjs';
import { strokes } from './strokes.mjs';
import { compositions, partitions } from './synthetic.mjs';
import { tableOne } from './table-one.mjs';
import { tableTemplates } from './table-templates.mjs';
import { templates } from './templates.mjs';

const parts = [
  'table',
  'letters',
  'copies',
  'digits',
  'compositions',
  'scene',
  'strokes',
  'partitions',
  'templates',
  'trees',
  'ellipses',
];
const usage = `npm run paper [-- options]

Trains the networks of M. Goessling, "LogitBoost autoregressive networks", and writes one page with its tables and figures, ours beside
the paper's: table 1 and figures 1 to 4, and section 5.2's three copies. Tables are printed too. What is left out is said.

  --data DIR      folder of the data sets (or ORCHARD_DATA; ../shared/data; else those that come with the project)
  --out FILE      the page (paper.html)
  --parts A,B     some of ${parts.join(',')}: table 1; figure 3; section 5.2; figures 1, 2 and 4; of the author's thesis the synthetic images of figures 3.5 and 3.6, by every
                  composition rule, the scenes of figure 3.3, strokes of letters as in figures 3.7 and 3.8, figure 4.1 with the looseness of the bound and Gaussian experts of known rows, the noisy circle of figure 2.1 and kernels of tables' numbers, the smoothed trees of
                  figures 2.6 and 2.7, and the ellipses of figures 5.3 and 5.4 (all)
  --quick         fewer rounds, larger steps: a look, not the paper's figures; without the digits' table 1
  --search        the leaves and the shrinkage of table 1 by the paper's search of 2 to 128 leaves, in the place of the paper's choices
  --keep DIR      where runs are kept, so that the next call goes on with them (dist/paper, dist/paper-quick)
  --threads N     threads (all cores)

Some hours on two cores for the whole, most of it for the digits.`;

const text = { type: 'string' };
const given = readCommandLine('paper', usage, {
  data: text,
  out: text,
  parts: text,
  keep: text,
  threads: text,
  quick: { type: 'boolean' },
  search: { type: 'boolean' },
});
const wanted = given.someOf('parts', parts);
const quick = given.values.quick ?? false;
const threads = given.whole('threads', { from: 1 });
const data = given.folder('data');
const out = resolve(given.values.out ?? 'paper.html');
const root = fileURLToPath(new URL('../..', import.meta.url));
const keep = resolve(given.values.keep ?? join(root, 'dist', quick ? 'paper-quick' : 'paper'));

// hours of one free core in proportion to parts that were run: measured.md has them; SET is the folder of binarized_mnist
const ON_DIGITS =
  'orchard train SET/train.data.gz --valid SET/valid.data.gz --test SET/test.data.gz --out RUN OPTIONS, where OPTIONS are';
const NOT_DONE = [
  'Not run: training up to 2,000 rounds (section 5.1): 0.3 to 1.3 hours on the digits. To run it: --preset paper --rounds 2000.',
  `Not run: thesis, figure 2.3, digits by components: about 3 hours for K = 8,192, the most, and 6 for K doubled up to it; 0.4 and 0.8 without the hierarchy. To run it: ${ON_DIGITS} --model mixture --hierarchy l2 --penalty 1 --steps 12 --components K, or --hierarchy none --pseudo-count 1.`,
  `Not run: thesis, table 5.1, digits by sparse networks: about 0.3 hours for one network, 0.7 for 20 untied components, 3 for 50 auto, 20 for 500 tied. To run it: ${ON_DIGITS} --model sparn --refit, and for mixtures --penalty 8 --steps 1 with --components 20 --tying untied, 50 auto or 500 tied; --intervals 4 for sequences.`,
];

await runPlainly('paper', async () => {
  await mkdir(keep, { recursive: true });
  const asked = {
    runs: new Runs(keep, threads),
    data,
    quick,
    isSearched: given.values.search ?? false,
    withDigits: !quick && wanted.includes('digits'),
  };
  const sections = [];
  const introduction = [
    'M. Goessling, “LogitBoost autoregressive networks”: each table and figure of the paper, computed by Orchard, beside the figures that the paper prints.',
    ...(quick
      ? ['A quick look: fewer rounds and larger steps than the paper’s, so that figures are a little worse.']
      : []),
    ...(wanted.length < parts.length ? [`Asked for: ${wanted.join(', ')} alone.`] : []),
    ...NOT_DONE,
  ];
  // each part takes minutes or hours: it is shown, and on the page, when it is there
  const show = async (made) => {
    for (const section of [made].flat()) {
      print(section);
      sections.push(section);
    }
    await writeFile(out, pageOf({ title: 'The paper, and ours beside it', introduction, sections }));
    console.error(`paper: ${out}`);
  };
  if (wanted.includes('table')) await show(await tableOne(asked));
  if (wanted.includes('letters')) await show(await leavesAndImportance(asked));
  if (wanted.includes('copies')) await show(await threeCopies(asked));
  if (wanted.includes('digits')) await show(await digits(asked));
  if (wanted.includes('compositions')) await show(await compositions(asked));
  if (wanted.includes('scene')) await show(await scene(asked));
  if (wanted.includes('strokes')) await show(await strokes(asked));
  if (wanted.includes('partitions')) {
    await show(await partitions(asked));
    await show(await gaussianExperts(asked));
  }
  if (wanted.includes('templates')) await show(await templates(asked));
  if (wanted.includes('templates')) await show(await tableTemplates(asked));
  if (wanted.includes('trees')) await show(await smoothedTrees(asked));
  if (wanted.includes('ellipses')) await show(await ellipses(asked));
  console.log(NOT_DONE.join('\n'));
});

/** A section as Markdown, without its pictures. */
function print({ title, notes, table }) {
  console.log(`\n## ${title}\n`);
  if (table !== undefined) {
    const line = (cells) => `| ${cells.join(' | ')} |`;
    console.log([line(table.head), line(table.head.map(() => '---')), ...table.rows.map(line)].join('\n'));
  }
  for (const note of notes) console.log(`\n${note}`);
}
