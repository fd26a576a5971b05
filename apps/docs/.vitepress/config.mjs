import { defineConfig } from 'vitepress';
import { commandPages, measuredPages, notebookPages } from '../generate/sidebar.mjs';
import { searchOptions } from '../search.mjs';

const tutorials = [
  { text: 'Your first table', link: '/tutorials/your-first-table' },
  { text: 'Outliers in a file that changes weekly', link: '/tutorials/weekly-outliers' },
  { text: 'Wrong cells in a file', link: '/tutorials/wrong-cells' },
  { text: 'Missing values', link: '/tutorials/missing-values' },
  { text: 'A cluster in ten minutes', link: '/tutorials/cluster' },
  { text: 'Images', link: '/tutorials/images' },
];
const howTo = [
  { text: 'Find outliers', link: '/how-to/find-outliers' },
  { text: 'Find wrong cells', link: '/how-to/find-wrong-cells' },
  { text: 'Score rows in a browser', link: '/how-to/score-in-a-browser' },
  { text: 'Sample rows', link: '/how-to/sample-rows' },
  { text: 'Judge samples', link: '/how-to/judge-samples' },
  { text: 'Rules that hold', link: '/how-to/rules-that-hold' },
  { text: 'Weigh rows', link: '/how-to/weigh-rows' },
  { text: 'Classify rows', link: '/how-to/classify-rows' },
  { text: 'Measure how well a column is predicted', link: '/how-to/score-a-column' },
  { text: 'Choose a model', link: '/how-to/choose-a-model' },
  { text: 'Choose settings', link: '/how-to/choose-settings' },
  { text: 'Read any file', link: '/how-to/read-any-file' },
  { text: 'Query with DuckDB', link: '/how-to/query-with-duckdb' },
  { text: 'Use Python', link: '/how-to/use-python' },
  { text: 'Use the shell', link: '/how-to/use-the-shell' },
  { text: 'Use DuckDB, Polars and pandas', link: '/how-to/use-data-frames' },
  { text: 'Use R', link: '/how-to/use-r' },
  { text: 'Use Spark', link: '/how-to/use-spark' },
  { text: 'Use MLflow', link: '/how-to/use-mlflow' },
  { text: 'Use an assistant', link: '/how-to/use-an-assistant' },
  { text: 'Resume a run', link: '/how-to/resume-a-run' },
  { text: 'Deploy on Kubernetes', link: '/how-to/deploy-on-kubernetes' },
  { text: 'Cite Orchard', link: '/how-to/cite' },
  { text: 'Find out why a run failed', link: '/how-to/why-did-my-run-fail' },
  { text: 'Work on the code', link: '/how-to/work-on-the-code' },
];

// where the site will live is not known: a build for a folder of a host sets it
const base = process.env.ORCHARD_DOCS_BASE ?? '/';

export default defineConfig({
  title: 'Orchard',
  description:
    'Density models of tables: find outliers, fill in missing values, sample rows, show what depends on what.',
  base,
  // the build puts it there
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}mark.svg` }]],
  srcExclude: ['README.md'],
  rewrites: { 'generated/:page*': ':page*' },
  outDir: 'dist',
  cacheDir: '../../node_modules/.cache/vitepress',
  // pages are the same at each build of the same sources
  lastUpdated: false,
  metaChunk: true,
  vite: {
    logLevel: 'warn',
    // scripts and a model to try, which the build writes beside the pages
    define: { __SCORING__: process.env.ORCHARD_DOCS_SCORING ?? 'null' },
  },
  markdown: {
    languageAlias: { pycon: 'python' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions } } },
    outline: [2, 3],
    nav: [
      { text: 'Tutorials', link: '/tutorials/your-first-table' },
      { text: 'Commands', link: '/reference/commands/' },
      { text: 'Python', link: '/reference/python' },
      { text: 'Score a file', link: '/how-to/score-in-a-browser' },
      { text: 'Questions', link: '/questions' },
    ],
    sidebar: [
      { text: 'Tutorials', items: tutorials },
      { text: 'How to', items: howTo },
      { text: 'Notebooks', items: notebookPages() },
      {
        text: 'Understand',
        items: [
          { text: 'How it works', link: '/how-it-works' },
          { text: 'The models compared', link: '/models' },
          { text: 'The papers', link: '/papers' },
          { text: 'Questions', link: '/questions' },
          { text: 'Words', link: '/words' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Python', link: '/reference/python' },
          { text: 'Commands', link: '/reference/commands/', collapsed: true, items: commandPages() },
          { text: 'JSON documents', link: '/reference/documents/' },
        ],
      },
      { text: 'Measured', link: '/measured/', collapsed: true, items: measuredPages() },
    ],
  },
});
