/** There is no such server and none could be got. `remedy` says what to install, in one line. */
export class ServerUnavailable extends Error {
  /**
   * @param {string} what
   * @param {string} remedy
   * @param {ErrorOptions} [options]
   */
  constructor(what, remedy, options) {
    super(`${what} ${remedy}`, options);
    this.name = 'ServerUnavailable';
    this.remedy = remedy;
  }
}
