import { createServer } from 'node:net';

/** @type {Readonly<Record<string, string>>} */
const reasons = {
  EADDRINUSE: 'where another program listens',
  EACCES: 'which this user may not take',
  ERR_SOCKET_BAD_PORT: 'which no machine has',
};

/**
 * Why a port cannot be listened on, as the end of a sentence; null where it can. Asked before anything is started: a
 * cluster would say it only after its store, Redis and workers are there.
 *
 * @param {number} port
 * @param {string} address
 * @returns {Promise<string | null>}
 */
export function whyTaken(port, address) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    /** @param {unknown} error */
    const failed = (error) => {
      const reason = reasons[/** @type {NodeJS.ErrnoException} */ (error).code ?? ''];
      if (reason === undefined) reject(/** @type {Error} */ (error));
      else resolve(reason);
    };
    probe.once('error', failed);
    try {
      probe.listen(port, address, () => probe.close(() => resolve(null)));
    } catch (error) {
      failed(error);
    }
  });
}
