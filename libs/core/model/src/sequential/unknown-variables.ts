import type { Copies, Particles } from './particles.js';
import type { MeritOf } from './thinning.js';

/** What is said of a variable in a row. */
export const OPEN = 0;
/** Its value is known. */
export const KNOWN = 1;
/** Some values are allowed, or some more than others. */
export const RESTRICTED = 2;

/**
 * Rows of which something is unknown, as sequential Monte Carlo sees them: variable after variable, each by binary
 * decisions.
 */
export interface UnknownVariables {
  readonly rows: number;
  /** Of each position of the ordering: how many decisions lead to a value at most. */
  readonly steps: ArrayLike<number>;
  /** Of each position: how many random numbers it has, at least one, and one for each step. */
  readonly numbers: ArrayLike<number>;
  /** Particles that are held at a time, where a row does not ask for more. */
  readonly room: number;
  /** By what the light particles are kept; the square root of their weight where it says nothing. */
  readonly meritOf?: MeritOf;
  /** OPEN, KNOWN or RESTRICTED. */
  said(row: number, position: number): number;
  /** Outcome of a known variable at a step; NOT_REACHED where its value was decided before. */
  outcome(row: number, position: number, step: number): number;
  /** States of particles 0 to `room - 1`, of rows whose values are not yet known. */
  states(room: number): ParticleStates;
}

/** What each particle has come to: the values of the positions before, and how far the present one is decided. */
export interface ParticleStates {
  /** A particle takes the state of another: `from[i]` to `to[i]`, in order of i. Empties the lists. */
  copy(position: number, copies: Copies): void;
  /** Comes to a position. `said[group]` is what is said of it in the row of a group. */
  begin(position: number, particles: Particles, said: Uint8Array): void;
  /** Of the particles of restricted rows: the probability of what is allowed. Called before the first step. */
  allowed(chances: Float64Array): void;
  /** Odds of outcome 1 of each particle at a step, 0 to Infinity; NaN where its value is decided. */
  odds(position: number, step: number, particles: Particles, odds: Float64Array): void;
  /** A particle continues with an outcome. */
  take(position: number, particle: number, outcome: number): void;
  /** All particles have a value at the position. */
  end(position: number, particles: Particles): void;
  /** Writes the values of a particle that were unknown into a draw of its row. */
  write(row: number, draw: number, particle: number): void;
}
