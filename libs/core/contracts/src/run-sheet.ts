import { z } from 'zod';

/** What a run may be given within its submitter's share, the most first. */
export const priorities = ['high', 'normal', 'low'] as const;

export type Priority = (typeof priorities)[number];

const mostLabels = 32;
/** No line break and no other control character: a name stands in tables, logs and pages. */
const plain = /^\P{C}+$/u;

export const runNameSchema = z.string().min(1).max(200).regex(plain).meta({
  description: 'a name for people, such as that of the file: 1 to 200 characters, none of them a control character',
});

const labelKeySchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/);
const labelValueSchema = z
  .string()
  .max(200)
  .regex(/^\P{C}*$/u);

export const labelsSchema = z
  .record(labelKeySchema, labelValueSchema)
  .refine((labels) => Object.keys(labels).length <= mostLabels)
  .meta({
    description: `labels by key, ${String(mostLabels)} at most: { "project": "bikes" }; a key is 1 to 63 of A-Z a-z 0-9 . _ / -, a value at most 200 characters`,
  });

const addressSchema = z.url({ protocol: /^https?$/ }).max(2000);

/** What a submission may say for people: it changes nothing of what is computed. */
export const sheetRequestShape = {
  name: runNameSchema.optional(),
  labels: labelsSchema.optional(),
  priority: z
    .enum(priorities)
    .optional()
    .meta({ description: 'high, normal or low, within the share of who submits; high needs the role admin' }),
  notify: addressSchema
    .optional()
    .meta({ description: 'an address to notify of the end of the run: one that the coordinator sends to' }),
} as const;

/** Who submitted a run. A name may be another person's tomorrow: of the issuer's users the subject counts. */
export const submitterSchema = z.strictObject({
  name: z.string(),
  way: z.enum(['anonymous', 'token', 'oidc', 'ticket', 'unknown']),
  subject: z.string().optional(),
});

export type Submitter = z.infer<typeof submitterSchema>;

/** What is written down of a run beside what it computes: the first who submits it says it. */
export const runSheetSchema = z.strictObject({
  submitter: submitterSchema,
  name: runNameSchema.nullable(),
  labels: labelsSchema,
  priority: z.enum(priorities),
  /** Notified of the end of the run; a part of it may be a secret. */
  notify: addressSchema.optional(),
});

export type RunSheet = z.infer<typeof runSheetSchema>;

/** One key for each person, of tokens and of the issuer's users. */
export function personOf({ name, way, subject }: Submitter): string {
  return way === 'oidc' ? `oidc:${subject ?? name}` : `${way}:${name}`;
}

/** The part of a sheet that every list and status of a run shows. */
export const shownSheetShape = {
  name: runNameSchema.optional().meta({ description: 'as submitted; absent where none was given' }),
  labels: labelsSchema.optional(),
  priority: z.enum(priorities).optional(),
  submittedBy: z
    .string()
    .optional()
    .meta({ description: 'the name of the token or user who submitted it first; absent where it was not recorded' }),
  notify: z
    .string()
    .optional()
    .meta({ description: 'the origin of the address that is notified of its end; absent where none is' }),
  pinned: z.literal(true).optional().meta({ description: 'no schedule deletes it; absent where it is not pinned' }),
} as const;

/** @param sheet null of a run without one */
export function shownSheet(sheet: RunSheet | null): Omit<z.infer<z.ZodObject<typeof shownSheetShape>>, 'pinned'> {
  if (sheet === null) return {};
  const { submitter, name, labels, priority, notify } = sheet;
  return {
    ...(name !== null && { name }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(priority !== 'normal' && { priority }),
    ...(notify !== undefined && { notify: new URL(notify).origin }),
    ...(submitter.way !== 'anonymous' && { submittedBy: submitter.name }),
  };
}
