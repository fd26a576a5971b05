import { randomUUID } from 'node:crypto';
import { artefactNames, concurrently } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import type { Logger } from 'pino';
import { CoordinatorError } from '../errors.js';
import { auditRecordSchema, type AuditPage, type AuditRecord } from './audit-documents.js';

const readsAtOnce = 32;

/**
 * Who did what, in the store: `audit/2026/11/22/172657123-<random>`, one object a request, by the time that it was
 * over. Nothing writes to a name twice, and nothing removes one: neither a run's deletion nor the garbage's looks
 * there.
 */
export class AuditLog {
  constructor(
    private readonly store: ObjectStore,
    private readonly log: Logger,
  ) {}

  /** @throws CoordinatorError `unavailable` where the store has not taken it; the log has it then */
  async write(record: AuditRecord): Promise<void> {
    const time = record.at.slice(11, 23).replace(/\D/g, '');
    try {
      await this.store.put(
        `${folderOf(record.at.slice(0, 10))}${time}-${randomUUID()}`,
        Buffer.from(JSON.stringify(record)),
      );
    } catch (error) {
      this.log.error({ error, record }, 'audit record not stored');
      throw notRecorded(error);
    }
  }

  /** Of what is refused anyway: where the store has not taken it the log has it, and the answer is the same. */
  async tryWrite(record: AuditRecord): Promise<void> {
    await this.write(record).catch(() => undefined);
  }

  /** The records of a day, by the time of their end. */
  async list(day: string, after: string | undefined, limit: number): Promise<AuditPage> {
    const folder = folderOf(day);
    const entries = await this.store.list(folder, {
      limit,
      ...(after === undefined ? {} : { after: folder + after }),
    });
    const records = new Map<string, AuditPage['records'][number]>();
    const unreadable: string[] = [];
    await concurrently(entries, readsAtOnce, async ({ name }) => {
      const read = await this.#read(name);
      if (read === null) unreadable.push(name);
      else records.set(name, { id: name.slice(folder.length), ...read });
    });
    return {
      day,
      records: entries.flatMap(({ name }) => records.get(name) ?? []),
      unreadable: unreadable.sort(),
      next: entries.length < limit ? null : entries.at(-1)!.name.slice(folder.length),
    };
  }

  /** Null of one that is damaged, or gone by a rule of the bucket since it was listed: the others are shown. */
  async #read(name: string): Promise<AuditRecord | null> {
    let bytes: Uint8Array;
    try {
      bytes = await this.store.get(name);
    } catch (error) {
      if (isRefusal(error, 'damaged', 'missing')) return null;
      throw error;
    }
    try {
      return auditRecordSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    } catch {
      return null;
    }
  }
}

const folderOf = (day: string): string => `${artefactNames.audit}${day.replaceAll('-', '/')}/`;

function notRecorded(cause: unknown): CoordinatorError {
  // a full store takes no record in a few seconds either
  const when = isRefusal(cause, 'full')
    ? 'Free some space in the bucket or raise its quota, then ask again'
    : 'Ask again in a few seconds';
  const input = {
    got: 'a store that has not taken the audit record of this request',
    expected: 'a record of it before it is said to be done',
    remedy: `${when}: what was done of it is done, and asking for it twice does no harm.`,
  };
  return new CoordinatorError('unavailable', input, { cause, headers: { 'Retry-After': '5' } });
}
