// Draws the imports between the wings as Mermaid: node infra/wings/main.mjs. An arrow against the rule is red.

import { arrows, arrowsAgainst, below } from './imports.mjs';

const all = arrows();
const against = new Set(arrowsAgainst(all));
console.log('flowchart BT');
for (const wing of Object.keys(below)) console.log(`  ${wing}`);
all.forEach((arrow, at) => {
  console.log(`  ${arrow.from} -->|${arrow.count}| ${arrow.to}`);
  if (against.has(arrow)) console.log(`  linkStyle ${at} stroke:red`);
});
if (against.size > 0) process.exitCode = 1;
