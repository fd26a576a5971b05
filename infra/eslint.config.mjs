import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom (architecture: core libs know nothing of ports, ports nothing of core, apps nothing of apps).
 * The list is by project, so that the direction within the core is enforced too.
 */
const mayImport = {
  'lib:refusal': [],
  'lib:numerics': [],
  'lib:contracts': [],
  'lib:selection': ['lib:numerics'],
  // the core takes the limits from contracts, no documents
  'lib:dataset': ['lib:numerics', 'lib:contracts'],
  'lib:pairs': ['lib:numerics', 'lib:dataset'],
  'lib:logistic': ['lib:numerics', 'lib:dataset'],
  'lib:forests': ['lib:numerics', 'lib:dataset', 'lib:pairs'],
  'lib:expectation-maximization': ['lib:numerics', 'lib:dataset', 'lib:forests'],
  'lib:kernel': ['lib:numerics', 'lib:dataset'],
  'lib:model': ['lib:numerics', 'lib:dataset', 'lib:contracts'],
  'lib:mixture': ['lib:numerics', 'lib:dataset', 'lib:model', 'lib:contracts'],
  'lib:sparse-network': ['lib:numerics', 'lib:dataset', 'lib:logistic', 'lib:mixture', 'lib:model', 'lib:report'],
  'lib:boosting': ['lib:numerics', 'lib:dataset', 'lib:kernel', 'lib:logistic', 'lib:model'],
  'lib:storage': ['lib:contracts'],
  'lib:queue': ['lib:contracts'],
  'lib:pipeline': ['layer:core', 'lib:contracts', 'lib:storage', 'lib:report'],
  // a kind of model knows how runs go, and no other kind but mixtures of forests, which several end in;
  // who runs them knows only the list of all kinds
  'layer:family': ['layer:core', 'lib:forest-mixture', 'lib:contracts', 'lib:pipeline', 'lib:storage', 'lib:report'],
  'lib:families': ['layer:core', 'lib:contracts', 'lib:storage', 'layer:family', 'lib:pipeline'],
  'lib:runs': ['layer:core', 'lib:contracts', 'lib:storage', 'lib:queue', 'lib:pipeline'],
  'lib:process': ['lib:storage'],
  'lib:telemetry': ['lib:contracts', 'lib:storage'],
  'lib:report': ['lib:contracts', 'lib:numerics', 'lib:dataset', 'lib:model', 'lib:selection'],
  'lib:task-program': [
    'lib:families',
    'lib:pipeline',
    'lib:process',
    'lib:queue',
    'lib:runs',
    'lib:contracts',
    'lib:dataset',
    'lib:numerics',
    'lib:storage',
    'lib:telemetry',
  ],
  // the page knows the coordinator's documents, and nothing of what makes them
  'layer:page': ['lib:contracts'],
  'layer:app': ['layer:core', 'layer:port', 'layer:family', 'layer:use-case'],
};

/** What only the kinds of models know: whoever carries their tasks has no word for it. */
const ofFamilies = '/refit|selection|conditional|ensemble/i';
const noFamilies = {
  files: ['libs/{runs,queue,task-program}/src/**/*.ts', 'apps/{worker,coordinator}/src/**/*.ts'],
  ignores: ['**/*.test.ts', '**/*.suite.ts', '**/*.suite.mjs'],
  rules: {
    'no-restricted-syntax': [
      'error',
      ...['Identifier[name=X]', 'PrivateIdentifier[name=X]', 'Literal[value=X]', 'TemplateElement[value.raw=X]'].map(
        (selector) => ({
          selector: selector.replace('X', ofFamilies),
          message: 'This is a word of one kind of model: whoever carries tasks asks the family for it.',
        }),
      ),
    ],
  },
};

/** Packages that only one place may know. */
const guarded = [
  { name: 'bullmq', message: 'Only libs/queue imports bullmq.' },
  { name: 'ioredis', message: 'Only libs/queue opens Redis connections.' },
  { name: '@aws-sdk/client-s3', message: 'Only libs/storage imports the S3 client.' },
];

/** Tests may import what runs; what runs imports nothing of them. Without tests everything still starts. */
const noTests = {
  regex: '^(\\.\\.?/)+test/',
  message: 'What runs imports nothing from test/; tests import from here.',
};
const restricted = (packages) => ['error', { paths: packages, patterns: [noTests] }];

export default tseslint.config(
  { ignores: ['**/dist/**', 'apps/*/program/**', '**/generated/**', '**/node_modules/**', 'libs/*/assembly/**'] },
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
          depConstraints: Object.entries(mayImport).map(([sourceTag, onlyDependOnLibsWithTags]) => ({
            sourceTag,
            // whoever refuses something says so in one way
            onlyDependOnLibsWithTags: [...onlyDependOnLibsWithTags, 'lib:refusal'],
          })),
        },
      ],
      'no-restricted-imports': restricted(guarded),
    },
  },
  noFamilies,
  { files: ['libs/queue/**'], rules: { 'no-restricted-imports': restricted([guarded[2]]) } },
  { files: ['libs/storage/**'], rules: { 'no-restricted-imports': restricted(guarded.slice(0, 2)) } },
);
