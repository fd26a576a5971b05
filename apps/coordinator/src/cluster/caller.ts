import { z } from 'zod';
import { roleSchema } from '../access/roles.js';

export const callerSchema = z.strictObject({
  name: z
    .string()
    .meta({ description: "of the fixed token, or of the issuer's token; anonymous where none is asked for" }),
  role: roleSchema.meta({ description: 'viewer, submitter or admin: each may do what those before it may' }),
  way: z.enum(['anonymous', 'token', 'oidc', 'ticket']).meta({ description: 'how that is known' }),
  access: z.enum(['read', 'full']).meta({ description: 'read of a viewer, full of all others' }),
  until: z.iso.datetime().nullable().meta({ description: 'when the token is not taken any more; null of fixed ones' }),
  presets: z.array(z.string()).meta({ description: 'what a submission may name as its preset' }),
  uses: z
    .strictObject({
      openRuns: z.int().min(0).nullable().meta({ description: 'that have not ended; null while the store is away' }),
      threads: z.int().min(0).meta({ description: 'of workers that train their runs at this moment' }),
      storedBytes: z.int().min(0).nullable().meta({
        description: 'by their runs and the data sets of these, as of the last minute; null while it is away',
      }),
    })
    .meta({ description: 'what the caller uses of the cluster' }),
  limits: z
    .strictObject({
      openRuns: z.int().min(1).nullable(),
      threads: z.int().min(1).nullable(),
      storedBytes: z.int().min(1).nullable(),
    })
    .meta({ description: 'what the caller may use of it; null where there is no limit' }),
  mostUploadBytes: z.int().min(1).meta({ description: 'of one upload as it is sent' }),
});

export type CallerDocument = z.infer<typeof callerSchema>;
