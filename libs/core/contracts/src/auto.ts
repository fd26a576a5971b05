import { z } from 'zod';

/** Said in place of a figure or an ordering: candidates are screened, and the validation rows choose. */
export const AUTO = 'auto';

export const autoSchema = z.literal(AUTO);
