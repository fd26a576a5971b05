import { z } from 'zod';

export const meanNats = z.number().meta({ description: 'mean nats per row' });
