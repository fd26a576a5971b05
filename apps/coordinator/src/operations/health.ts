import { z } from 'zod';

export const healthSchema = z.strictObject({
  status: z.enum(['live', 'ready', 'not-ready']),
  checks: z.record(z.string(), z.enum(['up', 'down'])).meta({ description: 'what the coordinator needs, by name' }),
});

export type Health = z.infer<typeof healthSchema>;

/** Something that the coordinator cannot work without. */
export interface ReadinessCheck {
  readonly name: string;
  /** Rejects where it does not answer. */
  readonly check: () => Promise<unknown>;
}

/** How long a check may take, in milliseconds: less than a probe's usual time limit. */
const PATIENCE = 2000;

/** How long an answer is good for: anybody may ask, and each check costs requests to Redis and the store. */
const FRESH_MILLISECONDS = 5000;

/** Checks at most once in {@link FRESH_MILLISECONDS}, however many ask. */
export class Readiness {
  #last: { readonly at: number; readonly health: Promise<Health> } | null = null;

  constructor(
    private readonly checks: readonly ReadinessCheck[],
    private readonly now: () => number = () => performance.now(),
  ) {}

  health(): Promise<Health> {
    const now = this.now();
    if (this.#last === null || now - this.#last.at >= FRESH_MILLISECONDS) {
      this.#last = { at: now, health: readiness(this.checks) };
    }
    return this.#last.health;
  }
}

/** Asks all at once. Reasons are left out: the answer is public. */
async function readiness(checks: readonly ReadinessCheck[]): Promise<Health> {
  const answers = await Promise.all(
    checks.map(async ({ name, check }) => [name, (await isUp(check)) ? 'up' : 'down'] as const),
  );
  const status = answers.every(([, answer]) => answer === 'up') ? 'ready' : 'not-ready';
  return { status, checks: Object.fromEntries(answers) };
}

async function isUp(check: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE);
  });
  const asked = check().then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([asked, late]);
  clearTimeout(timer);
  return answered;
}
