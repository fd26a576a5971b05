import { z } from 'zod';

/** What callers may do: each role all that those before it may. */
export const roles = ['viewer', 'submitter', 'admin'] as const;
export type Role = (typeof roles)[number];

export const roleSchema = z.enum(roles);

/** Whether a caller of a role, or of none, may do what needs another. */
export function suffices(role: Role | null, needed: Role): boolean {
  return role !== null && roles.indexOf(role) >= roles.indexOf(needed);
}

/** The highest of some roles; null where there is none. */
export function highest(held: readonly Role[]): Role | null {
  return roles.findLast((role) => held.includes(role)) ?? null;
}

/** Who asks, and how that is known. */
export interface Caller {
  /** Of the fixed token, or what the issuer's token says; never a token. */
  readonly name: string;
  /** `anonymous` where no token is asked for; `ticket` of a link that another user made. */
  readonly way: 'anonymous' | 'token' | 'oidc' | 'ticket';
  /** Null of a user who is known and has no role. */
  readonly role: Role | null;
  /** As the issuer calls them for ever: names change. */
  readonly subject?: string;
  /** Until when the token is good, in milliseconds since 1970. */
  readonly until?: number;
}
