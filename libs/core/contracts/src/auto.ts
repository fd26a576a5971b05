import { z } from 'zod';

/** Said in place of a figure or an ordering: candidates are screened, and the validation rows choose. */
export const AUTO = 'auto';

export const autoSchema = z.literal(AUTO);

/** Said in place of leaves: the paper's own search, in full, for the leaves and the shrinkage. */
export const SEARCH = 'search';
