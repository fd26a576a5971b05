import { readdirSync } from 'node:fs';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { below } from './wings/imports.mjs';

/**
 * Who may import whom: a wing (a folder of libs/) and the wings below it. The folder of a lib is its place in this
 * table.
 */
const wings = {
  ...Object.fromEntries(
    Object.entries(below).map(([wing, own]) => [`wing:${wing}`, [...own, wing].map((one) => `wing:${one}`)]),
  ),
  // the registry asks for the package of papers, which need not be there; no other family may (familyRule)
  'wing:families': ['wing:core', 'wing:learning', 'wing:tasks', 'wing:families', 'lib:papers'],
  // a cluster knows kinds of models by the registry alone
  'wing:cluster': ['wing:core', 'wing:tasks', 'wing:cluster', 'lib:registry'],
};

/** Libs that may import less than their wing. A family is not in this list but in {@link familyRule}. */
const exceptions = {
  // a port speaks the documents of contracts and knows nothing of rows and models
  'lib:storage': ['lib:contracts', 'lib:refusal'],
  'lib:queue': ['lib:contracts', 'lib:refusal'],
  'lib:telemetry': ['lib:contracts', 'lib:storage', 'lib:refusal'],
  // the page knows the coordinator's documents and nothing of what makes them
  'app:dashboard': ['lib:contracts'],
};

/**
 * One family knows no other, but several end in mixtures of trees and products of columns, and sparn has a room of its
 * own for mixtures of its networks. Only the registry lists those of its wing, and only `papers` those of papers.
 */
const familyRule = {
  'family:one': ['wing:core', 'wing:learning', 'wing:tasks', 'lib:mixture'],
  'family:sparn': ['wing:core', 'wing:learning', 'wing:tasks', 'lib:sparn-mixture'],
};

/**
 * An argument list has a limit of some 125,000 values: a spread of what grows with columns, rows or tasks works in
 * every test and fails in the first run that is large enough.
 */
const noSpread = {
  selector: 'CallExpression[callee.property.name=/^(push|unshift|splice|min|max)$/] > SpreadElement',
  message: 'A spread argument fails beyond 125,000 values: write the loop.',
};
/** A literal is written as it is: its properties, one by one. */
const noLiteralSpread = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the properties themselves: a spread of a literal saves a line and hides it.',
};
/** A step of a loop aside, an assignment is a statement: read from left to right, line by line. */
const noAssignmentWithin = [
  ':not(ExpressionStatement, ForStatement, SequenceExpression) > AssignmentExpression',
  ':not(ForStatement) > SequenceExpression',
].map((selector) => ({ selector, message: 'Write the assignment as a line of its own.' }));
/** Several assignments at once hide which value goes where. */
const noTupleAssignment = {
  selector: 'AssignmentExpression[left.type=ArrayPattern][right.type=ArrayExpression]',
  message: 'Write each assignment as a line of its own.',
};
/** Squares and powers of two are exact; others differ by a bit between releases of Node: 10 ** -5 did. */
const noPowers = [
  'BinaryExpression[operator="**"]:not([left.value=2], [right.value=2], [left.bigint])',
  'CallExpression[callee.object.name=Math][callee.property.name=pow]',
].map((selector) => ({
  selector,
  message: 'Write the product, or powerOfTen, exp and log of @orchard/numerics, whose bits are the same everywhere.',
}));
/** How every source is written. */
const plain = [noLiteralSpread, ...noAssignmentWithin, noTupleAssignment, ...noPowers];
/** What is laid out on a screen or a page has few lines. */
const laidOut = ['apps/cli/src/**', 'libs/tasks/report/src/**/*-section.ts', 'libs/tasks/report/src/**/histogram.ts'];

/** What only the kinds of models know: code that carries their tasks has no word for it. */
const ofFamilies = '/refit|selection|conditional|ensemble/i';
const noFamilies = {
  files: ['libs/cluster/{runs,queue,program}/src/**/*.ts', 'apps/{worker,coordinator}/src/**/*.ts'],
  ignores: ['**/*.test.ts', '**/*.suite.ts', '**/*.suite.mjs'],
  rules: {
    'no-restricted-syntax': [
      'error',
      noSpread,
      ...plain,
      ...['Identifier[name=X]', 'PrivateIdentifier[name=X]', 'Literal[value=X]', 'TemplateElement[value.raw=X]'].map(
        (selector) => ({
          selector: selector.replace('X', ofFamilies),
          message: 'This is a word of one kind of model: whoever carries tasks asks the family for it.',
        }),
      ),
    ],
  },
};

/** The kinds of models, each a folder. */
const familyNames = ['families', 'papers']
  .flatMap((wing) => readdirSync(new URL(`../libs/${wing}`, import.meta.url)))
  .filter((name) => name !== 'registry');
/**
 * The command line asks the registry, so that a family that is added there is known everywhere: it neither imports nor
 * names one.
 */
const commandLine = {
  files: ['apps/cli/src/**/*.ts'],
  ignores: ['**/*.test.ts', '**/*.suite.ts'],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...plain,
      {
        selector: `:matches(ImportDeclaration, ImportExpression, ExportNamedDeclaration)[source.value=/^@orchard.(${familyNames.join('|')})$/]`,
        message: 'The command line knows kinds of models by @orchard/registry alone.',
      },
      {
        // other families are called by words that mean something else too
        selector: 'Identifier[name=/^(lbarn|chowLiu|cutset|sparn|onlineForest)$/]',
        message: 'The command line names no kind of model: what it needs of one is part of the port, Family.',
      },
    ],
  },
};

/** What all commands stand on, in their order: each imports those before it alone. */
const floors = ['output', 'options', 'rows', 'run-folder'].map((floor, at, all) => {
  const below = all.slice(0, at);
  const elsewhere = below.length === 0 ? '' : `(?!(${below.join('|')}).)`;
  return {
    files: [`apps/cli/src/${floor}/**/*.ts`],
    ignores: commandLine.ignores,
    rules: {
      'no-restricted-syntax': [
        ...commandLine.rules['no-restricted-syntax'],
        {
          selector: `:matches(ImportDeclaration, ImportExpression)[source.value=/^\\.\\..${elsewhere}/]`,
          message: `Of this program apps/cli/src/${floor} imports ${below.join(', ') || 'nothing'} alone.`,
        },
      ],
    },
  };
});

/** Packages that only one place may know. */
const guarded = [
  { name: 'bullmq', message: 'Only libs/cluster/queue imports bullmq.' },
  { name: 'ioredis', message: 'Only libs/cluster/queue opens Redis connections.' },
  { name: '@aws-sdk/client-s3', message: 'Only libs/tasks/storage imports the S3 client.' },
];

/** Tests may import what runs; what runs imports nothing of them. Without tests everything still starts. */
const noTests = {
  regex: '^(\\.\\.?/)+test/',
  message: 'What runs imports nothing from test/; tests import from here.',
};
const restricted = (packages) => ['error', { paths: packages, patterns: [noTests] }];

export default tseslint.config(
  { ignores: ['**/dist/**', 'apps/*/program/**', '**/generated/**', '**/node_modules/**', 'libs/*/*/assembly/**'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: false } },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      'max-lines': ['warn', { max: 400, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  { files: ['**/*.mjs', 'test/**', 'infra/**', 'apps/cli/**'], rules: { 'no-console': 'off' } },
  { files: ['infra/**/*.{mjs,mts}'], rules: { 'no-restricted-imports': restricted([]) } },
  {
    files: ['libs/**/*.ts', 'apps/**/*.{ts,tsx}'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          enforceBuildableLibDependency: false,
          depConstraints: Object.entries({ ...wings, ...exceptions, ...familyRule }).map(
            ([sourceTag, onlyDependOnLibsWithTags]) => ({ sourceTag, onlyDependOnLibsWithTags }),
          ),
        },
      ],
      'no-restricted-imports': restricted(guarded),
    },
  },
  {
    files: ['libs/*/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts', '**/*.suite.ts'],
    rules: { 'no-restricted-syntax': ['error', ...plain] },
  },
  {
    files: ['libs/*/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.ts', '**/*.suite.ts', 'libs/tasks/report/src/plotting.ts', ...laidOut],
    rules: { 'no-restricted-syntax': ['error', noSpread, ...plain] },
  },
  noFamilies,
  commandLine,
  ...floors,
  { files: ['libs/cluster/queue/**'], rules: { 'no-restricted-imports': restricted([guarded[2]]) } },
  { files: ['libs/tasks/storage/**'], rules: { 'no-restricted-imports': restricted(guarded.slice(0, 2)) } },
);
