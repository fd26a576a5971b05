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
  mostUploadBytes: z.int().min(1).meta({ description: 'of one upload as it is sent' }),
});

export type CallerDocument = z.infer<typeof callerSchema>;
