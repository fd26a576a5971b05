import { ofForm, wholeNumber } from '../options/values.js';
import { counted, table } from '../output/figures.js';
import { declareServerCommand } from './commands.js';
import type { CoordinatorClient } from './coordinator-client.js';
import type { AuditPage, AuditRecord } from './documents.js';
import { option, type Parsed } from '../options/option.js';

/** What the coordinator takes. */
const PAGE = 1000;

const auditOptions = () => [
  option('--day <date>', 'day (UTC), as 2026-11-22 (default: today)', ofForm('a date, as 2026-11-22', dayIn)),
  option(
    '--after <id>',
    'only records after the one with this id',
    ofForm('the id of a record, as orchard audit --json has it', recordIdIn),
  ),
  option('--limit <n>', 'most records to print', wholeNumber(1, Number.MAX_SAFE_INTEGER), Infinity, 'all of the day'),
];

type AuditOptions = Parsed<typeof auditOptions>;

export const addAuditCommand = declareServerCommand(
  {
    name: 'audit',
    description: 'Print who changed what on a coordinator on one day, and who was refused.',
    options: auditOptions,
    examples: [
      ['orchard audit', 'today, earliest first'],
      ['orchard audit --day 2026-11-22 --json', 'for programs, with full ids'],
      ['orchard audit --limit 100', 'the first hundred'],
    ],
    notes: ['Needs the role admin: a full token, or an account with that role.'],
  },
  async (client, options, terminal) => {
    const { day, records, unreadable, next } = await recordsOf(client, options);
    terminal.result(records.length === 0 ? `no records of ${day}` : tableOf(records));
    if (unreadable.length > 0) {
      const objects = counted(unreadable.length, 'object is', 'objects are');
      terminal.note(
        `orchard: ${objects} not what was written, and left out: ${unreadable.slice(0, 5).join(', ')}${unreadable.length > 5 ? ', …' : ''}`,
      );
    }
    if (next !== null) terminal.note(`orchard: there is more: orchard audit --day ${day} --after ${next}`);
    terminal.document({ day, records, unreadable, next });
  },
);

/** Page after page, until the day's end or the limit. */
async function recordsOf(client: CoordinatorClient, { day, after, limit }: AuditOptions): Promise<AuditPage> {
  const first = await client.audit({ day, after, limit: Math.min(PAGE, limit) });
  const records = [...first.records];
  const unreadable = [...first.unreadable];
  let { next } = first;
  for (let seen = records.length + unreadable.length; next !== null && seen < limit;) {
    // the day of the first page, whichever it is by now
    const page = await client.audit({ day: first.day, after: next, limit: Math.min(PAGE, limit - seen) });
    for (const record of page.records) records.push(record);
    for (const name of page.unreadable) unreadable.push(name);
    seen += page.records.length + page.unreadable.length;
    next = page.next;
  }
  return { day: first.day, records, unreadable, next };
}

function tableOf(records: readonly AuditRecord[]): string {
  const rows = records.map(({ at, who, method, route, path, what, outcome }) => [
    at.slice(11, 23),
    who.name,
    who.role ?? 'none',
    route ?? `${method} ${path}`,
    describe(what),
    [outcome.status ?? 'not known', outcome.code].filter((part) => part !== null).join(' '),
  ]);
  return table(['time (UTC)', 'who', 'role', 'request', 'of what', 'answer'], rows);
}

/** Ids by their first digits, lists by how many there are: the document has them whole. */
function describe(what: AuditRecord['what']): string {
  return Object.entries(what)
    .map(([name, value]) => {
      if (Array.isArray(value)) return `${String(value.length)} ${name}`;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return /^[0-9a-f]{64}$/.test(text) ? `${name} ${text.slice(0, 12)}` : `${name} ${text}`;
    })
    .join(', ');
}

/** A date of the calendar. */
function dayIn(text: string): string | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

function recordIdIn(text: string): string | undefined {
  return /^\d{9}-[0-9a-f-]{36}$/.test(text) ? text : undefined;
}
