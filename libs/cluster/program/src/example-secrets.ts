import { Refusal } from '@orchard/refusal';

/** What stands in `.env.example` and the guides where a secret belongs: anybody may read it. */
const examples: readonly RegExp[] = [/replace-this-secret/i, /^rediss?:\/\/[^/@]*:password@/i, /^…$/];
/** Variables that hold secrets of ours, of Redis and of the store. */
const names = /^(ORCHARD_|AWS_)/;

/**
 * Refuses secrets that were copied from the example and not replaced.
 *
 * @throws Refusal `invalid-configuration` naming the variable
 */
export function refuseExampleSecrets(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!names.test(name) || value === undefined || !examples.some((example) => example.test(value))) continue;
    throw new Refusal('invalid-configuration', {
      got: 'the secret of the example, which anybody may read',
      expected: 'one of your own',
      where: name,
      remedy: 'Make one with: openssl rand -hex 24; put it into .env, or into the Secret of the cluster.',
    });
  }
}
