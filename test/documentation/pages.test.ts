import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { root } from '../cli/orchard.js';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const files = tracked
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)));
const pages = files.filter((file) => file.endsWith('.md'));
/** Every file and folder of the project by each end of its path, as pages call it from where they lie. */
const ends = new Set(
  files.flatMap((file) => {
    const parts = file.split('/');
    return parts.flatMap((_, from) => parts.slice(from).map((_part, to) => parts.slice(from, from + to + 1).join('/')));
  }),
);
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const withoutBlocks = (text: string): string => text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchor that a heading gets where pages are shown. */
function anchorOf(heading: string): string {
  const words = heading.replace(/[`*_]|\[|\]\([^)]*\)/g, '').trim();
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- ]/gu, '')
    .replace(/ /g, '-');
}

function anchorsOf(page: string): string[] {
  const text = read(page).replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** Links of a page that lead nowhere in the project. */
function brokenLinksOf(page: string): string[] {
  const links = [...withoutBlocks(read(page)).matchAll(/\]\(<?([^)\s>]+)>?\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/i.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)));
    // pages that the site's build makes, whose links it checks
    if (/^apps\/docs\/(reference|measured|notebooks)\//.test(target)) return false;
    if (target.startsWith('..') || !existsSync(join(root, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
}

/** What names a source between backticks: a path below one of these folders, or one that ends as sources do. */
const inAFolder = /^(?:apps|libs|infra|test|src|\.ci|\.github)\/[\w.@/-]+$/;
const ofASource = /^(?:\.\.?\/)*[\w.@-]+(?:\/[\w.@-]+)+\.(?:m?[jt]s|tsx|py|md|sh)$/;
/** Made by a build or a release; a pattern of names; and scripts of measurements, which name the commit that has them. */
const isElsewhere = (path: string, rest: string): boolean =>
  path.split('/').some((part) => ['dist', 'program', 'generated', 'CHANGELOG.md', 'WING'].includes(part)) ||
  /^\sof that commit/.test(rest);

/** Paths that a page names in backticks and that the project does not have. */
function absentPathsOf(page: string): string[] {
  const text = read(page).replace(/^```[^]*?^```$/gm, '');
  const absent: string[] = [];
  for (const match of text.matchAll(/`([^`\n]+)`/g)) {
    const path = match[1]!.replace(/\/$/, '');
    if (!inAFolder.test(path) && !ofASource.test(path)) continue;
    const known = ends.has(path.replace(/^(?:\.\.?\/)+/, ''));
    if (!known && !isElsewhere(path, text.slice(match.index + match[0].length))) absent.push(path);
  }
  return absent;
}

describe.each(pages)('%s', (page) => {
  it('has no link that leads nowhere', () => {
    expect(brokenLinksOf(page)).toEqual([]);
  });

  it('names in backticks only paths that are there', () => {
    expect(absentPathsOf(page)).toEqual([]);
  });

  it('names only npm scripts that are there', () => {
    const named = [...read(page).matchAll(/npm (?:--prefix \S+ )?run (?:-s |--silent )?([a-z][a-z:-]*)/g)].map(
      ([, name = '']) => name,
    );
    expect(named.filter((name) => !(name in packageFile.scripts))).toEqual([]);
  });

  it('sends nobody to a file of this project that is not there', () => {
    const run = [...read(page).matchAll(/\bnode (?:-\S+ )*((?:apps|infra|libs|test)\/[\w./-]+\.m?js)\b/g)];
    const absent = run.map(([, path = '']) => path).filter((path) => !path.includes('/dist/'));
    expect(absent.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('CONTRIBUTING.md and the page of benchmarks beside it name every npm script', () => {
  const text = read('.github/CONTRIBUTING.md') + read('.github/BENCHMARKS.md');
  const named = [...text.matchAll(/`npm (?:run )?([a-z][a-z:-]*)/g)].map(([, name = '']) => name);
  expect(Object.keys(packageFile.scripts).filter((name) => !named.includes(name))).toEqual([]);
});
