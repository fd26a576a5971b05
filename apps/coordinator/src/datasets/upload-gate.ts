import { CoordinatorError } from '../errors.js';

/** Lets some uploads in at once: each holds a data set in memory until it is stored. */
export class UploadGate {
  #inside = 0;

  constructor(private readonly most: number) {}

  /** @throws CoordinatorError `too-many-requests` where there is no room; no client waits with a body in hand */
  async pass<T>(upload: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.most) {
      const input = {
        got: `upload number ${this.most + 1} at the same time`,
        expected: `at most ${this.most}`,
        remedy: 'Wait until another has ended.',
      };
      throw new CoordinatorError('too-many-requests', input, { headers: { 'Retry-After': '5' } });
    }
    this.#inside += 1;
    try {
      return await upload();
    } finally {
      this.#inside -= 1;
    }
  }
}
