import { bytes, count, counted, moment, table } from '../output/figures.js';
import { declareServerCommand } from './commands.js';
import type { Retention } from './documents.js';

export const addRetentionCommand = declareServerCommand(
  {
    name: 'retention',
    description: 'Print what a coordinator keeps, and which runs it deletes next.',
    examples: [
      ['orchard retention', ''],
      ['orchard pin 3fa2c1', 'keeps a run'],
    ],
  },
  async (client, _, terminal) => {
    const retention = await client.retention();
    terminal.result(describe(retention));
    const { rules, everyHours, next, last, expired } = retention;
    terminal.document({ rules, everyHours, next, last, expired });
  },
);

function describe({ rules, everyHours, next, last, expired }: Retention): string {
  const { runsDays, runsPerPerson, bytesPerPerson, unusedDatasetsDays } = rules;
  const kept = [
    runsDays === null ? null : `runs are kept for ${counted(runsDays, 'day')} after their end`,
    runsPerPerson === null ? null : `the last ${counted(runsPerPerson, 'run')} of each person are kept`,
    bytesPerPerson === null ? null : `${bytes(bytesPerPerson)} of the newest runs of each person are kept`,
    unusedDatasetsDays === null
      ? 'data sets that no run needs are kept until orchard gc --remove'
      : `data sets that no run needs are kept for ${counted(unusedDatasetsDays, 'day')}`,
  ].filter((line) => line !== null);
  if (kept.length === 1) kept.unshift('runs are kept until they are deleted');
  const lines = [...kept, 'pinned runs are kept: orchard pin RUN'];
  if (next === null) lines.push('nothing is removed by a schedule');
  else lines.push(`applied every ${count(everyHours)} h, next at ${moment(next)} UTC`);
  if (last !== null) {
    const what = `${counted(last.runs.length, 'run')} deleted, ${counted(last.objects, 'leftover')} (${bytes(last.bytes)}) removed`;
    lines.push(
      `last at ${moment(last.endedAt)} UTC: ${what}${last.failure === null ? '' : `; it failed: ${last.failure}`}`,
    );
  }
  if (expired.length === 0) return lines.join('\n');
  const rows = expired.map(({ run, why }) => [run.slice(0, 12), why]);
  return `${lines.join('\n')}\n\n${table(['deleted next', 'why'], rows)}`;
}
