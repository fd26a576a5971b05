import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { llmsText } from '../../apps/docs/generate/llms.mjs';
import { root } from '../cli/orchard.js';

it('llms.txt lists every page of the site with a sentence about it', () => {
  const pages = join(root, 'apps/docs/');
  const lines = llmsText(pages).split('\n');
  for (const folder of ['tutorials', 'how-to'])
    for (const name of readdirSync(join(pages, folder))) {
      const link = `](/${folder}/${name.replace('.md', '')}): `;
      const line = lines.find((each) => each.includes(link));
      expect(line, link).toMatch(/^- \[[^\]]+\]\(.*\): .{20,}/);
    }
  expect(lines[0]).toMatch(/^# Orchard/);
});
