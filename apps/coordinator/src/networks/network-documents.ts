import { sha256Schema } from '@orchard/contracts';
import { z } from 'zod';
import { wantedQueryShape } from '../runs/wanted.js';

export const networkPathSchema = z.strictObject({ id: sha256Schema.meta({ description: "the run's id" }) });

export const networkQuerySchema = z.strictObject(wantedQueryShape);
