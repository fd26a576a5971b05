import { z } from 'zod';

export const callerSchema = z.strictObject({
  name: z.string().meta({ description: 'of the token; anonymous where none is asked for' }),
  access: z.enum(['read', 'full']),
  presets: z.array(z.string()).meta({ description: 'what a submission may name as its preset' }),
  mostUploadBytes: z.int().min(1).meta({ description: 'of one upload as it is sent' }),
});

export type Caller = z.infer<typeof callerSchema>;
