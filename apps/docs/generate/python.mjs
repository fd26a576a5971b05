// The reference of the Python package: what `__init__.py` exports, with the signatures and docstrings of the sources.
import { existsSync, readFileSync } from 'node:fs';
import { parser } from '@lezer/python';
import { prose } from './commands.mjs';

const source = new URL('../../../libs/python/orchard-density/src/orchard_density/', import.meta.url);

/** One page, by its path. */
export function pythonPage() {
  const init = moduleOf('__init__');
  const [, list = ''] = /__all__ = \[([^\]]*)\]/.exec(init.text) ?? [];
  const names = [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
  const found = names.flatMap((name) => definitionOf(init, name) ?? []);
  const classes = found.filter(({ kind, bases }) => kind === 'class' && !isError(bases));
  const functions = found.filter(({ kind }) => kind === 'function');
  const errors = found.filter(({ kind, bases }) => kind === 'class' && isError(bases));
  const sections = [...functions, ...classes].map((one) => sectionOf(one));
  const refused = errors.map(({ name, doc }) => `- \`${name}\`: ${prose(brief(doc))}`);
  return [
    [
      'reference/python.md',
      `# Python

Made from the docstrings of \`orchard_density\`. [Use Python](../how-to/use-python.md) shows how to begin.

${sections.join('\n')}
## Errors

${refused.join('\n')}
`,
    ],
  ];
}

const isError = (bases) => /Error\b|Exception\b|Warning\b/.test(bases);

function moduleOf(name) {
  const path = [`${name}.py`, `${name}/__init__.py`].find((one) => existsSync(new URL(one, source)));
  if (path === undefined) return null;
  const text = readFileSync(new URL(path, source), 'utf8');
  return { name, text, top: parser.parse(text).topNode };
}

/** The class or function that a module exports by that name, in the module that defines it. */
function definitionOf(module, name) {
  for (let node = module.top.firstChild; node !== null; node = node.nextSibling) {
    const definition = within(node);
    if (definition !== null && nameOf(definition, module.text) === name) return described(definition, module.text);
    if (node.name !== 'ImportStatement') continue;
    const [, from, what] = /^from \.([\w.]+) import \(?([^)]*)\)?$/s.exec(module.text.slice(node.from, node.to)) ?? [];
    if (what?.split(',').some((one) => one.trim() === name)) {
      const next = moduleOf(from.replaceAll('.', '/'));
      return next === null ? null : definitionOf(next, name);
    }
  }
  return null;
}

/** A definition, with its decorators or without. */
function within(node) {
  if (node.name === 'ClassDefinition' || node.name === 'FunctionDefinition') return node;
  if (node.name !== 'DecoratedStatement') return null;
  return node.getChild('ClassDefinition') ?? node.getChild('FunctionDefinition');
}

const nameOf = (node, text) => textOf(node.getChild('VariableName'), text);
const textOf = (node, text) => (node === null ? '' : text.slice(node.from, node.to));

function described(node, text) {
  const body = node.getChild('Body');
  const common = { name: nameOf(node, text), doc: docOf(body, text) };
  if (node.name === 'FunctionDefinition') return { ...common, kind: 'function', signature: signatureOf(node, text) };
  const members = [];
  for (let one = body.firstChild; one !== null; one = one.nextSibling) {
    const method = within(one);
    if (method?.name !== 'FunctionDefinition') continue;
    const isProperty = /^@(?:\w+\.)?(?:cached_)?property\b/m.test(text.slice(one.from, method.from));
    const found = described(method, text);
    if (found.name === '__init__' || (!found.name.startsWith('_') && found.doc !== ''))
      members.push({ ...found, isProperty });
  }
  return {
    ...common,
    kind: 'class',
    bases: textOf(node.getChild('ArgList'), text),
    members,
    fields: fieldsOf(body, text),
  };
}

/** Fields of a data class, with the remark before each. */
function fieldsOf(body, text) {
  const lines = text.slice(body.from, body.to);
  return [...lines.matchAll(/((?: {4}#: .*\n)+) {4}(\w+):/g)].map(([, remark, name]) => ({
    name,
    doc: remark
      .replace(/^ {4}#: /gm, '')
      .trim()
      .replace(/\n/g, ' '),
  }));
}

function signatureOf(node, text) {
  const parameters = textOf(node.getChild('ParamList'), text);
  return parameters
    .replace(/\s+/g, ' ')
    .replace(/^\(\s*(?:self|cls)(?:,\s*)?/, '(')
    .replace(/,? \)$/, ')')
    .replace(/\( /, '(');
}

/** A docstring without its quotes and its indentation. */
function docOf(body, text) {
  const first = body.getChild('ExpressionStatement');
  const string = first?.getChild('String') ?? null;
  if (string === null || body.getChild('FunctionDefinition')?.from < string.from) return '';
  const lines = textOf(string, text)
    .replace(/^[rR]?("""|")/, '')
    .replace(/("""|")$/, '')
    .split('\n');
  const indent = Math.min(
    ...lines
      .slice(1)
      .filter((line) => line.trim() !== '')
      .map((line) => /^ */.exec(line)[0].length),
  );
  return [lines[0], ...lines.slice(1).map((line) => line.slice(Number.isFinite(indent) ? indent : 0))]
    .join('\n')
    .trim();
}

const brief = (doc) => doc.split(/\n\n/)[0].replace(/\s+/g, ' ');

function sectionOf({ name, kind, doc, signature, members = [], fields = [] }) {
  const call = kind === 'function' ? signature : (members.find((one) => one.name === '__init__')?.signature ?? '');
  const methods = members.filter((one) => one.name !== '__init__');
  const shown = call === '' || call.length > 200 ? [] : [`\`\`\`python\n${name}${call}\n\`\`\``];
  return [
    `## ${name}`,
    ...shown,
    docText(doc),
    fields.map((field) => `- \`${field.name}\`: ${prose(field.doc)}`).join('\n'),
    ...methods.map(
      (one) =>
        `### ${name}.${one.name}\n\n\`${one.name}${one.isProperty ? '' : one.signature}\`\n\n${docText(one.doc)}`,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** Paragraphs, numpydoc's sections as lists, and its examples as they would be typed. */
function docText(doc) {
  const parts = doc.split(/^(\w[\w ]*)\n-{3,}$/m);
  const sections = [];
  for (let at = 1; at < parts.length; at += 2)
    sections.push(`**${parts[at]}**\n\n${parts[at] === 'Examples' ? sessionOf(parts[at + 1]) : listOf(parts[at + 1])}`);
  return [paragraphs(parts[0]), ...sections].filter((part) => part !== '').join('\n\n');
}

const sessionOf = (text) => `\`\`\`pycon\n${text.trim()}\n\`\`\``;

function listOf(text) {
  const items = text.trim().split(/\n(?=\S)/);
  return items
    .map((item) => {
      const [head, ...rest] = item.split('\n');
      return `- \`${head.trim()}\`: ${prose(rest.map((line) => line.trim()).join(' '))}`;
    })
    .join('\n');
}

const paragraphs = (text) =>
  text
    .trim()
    .split(/\n{2,}/)
    .map((part) => prose(part.replace(/\n(?=\w+: )/g, '\n\n').trim()))
    .join('\n\n');
