import { request } from 'node:https';

/** An answer of the API server that is not a success. */
export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The API of a Kubernetes, whose certificate is self-signed. */
export class KubernetesApi {
  #server;
  #token;

  /** @param {string} server @param {string} token */
  constructor(server, token) {
    this.#server = server;
    this.#token = token;
  }

  /** @param {string} path @returns {Promise<any>} */
  get(path) {
    return this.#ask('GET', path);
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  post(path, body) {
    return this.#ask('POST', path, body);
  }

  /** @param {string} path @param {object} body merged into what is there @returns {Promise<any>} */
  patch(path, body) {
    return this.#ask('PATCH', path, body, 'application/merge-patch+json');
  }

  /** @param {string} path @param {object} [options] @returns {Promise<any>} */
  delete(path, options) {
    return this.#ask('DELETE', path, options);
  }

  async isReady() {
    return await this.get('/readyz').then(
      () => true,
      () => false,
    );
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [body]
   * @param {string} [type]
   * @returns {Promise<any>}
   */
  #ask(method, path, body, type = 'application/json') {
    const text = body === undefined ? '' : JSON.stringify(body);
    // Node gives the length of a body by itself, but not for DELETE, whose body would then be read as the next request
    const length = { 'content-type': type, 'content-length': Buffer.byteLength(text) };
    const headers = { authorization: `Bearer ${this.#token}`, accept: 'application/json', ...length };
    return new Promise((resolve, reject) => {
      const options = { method, headers, rejectUnauthorized: false, timeout: 60_000 };
      const asked = request(new URL(path, this.#server), options, (answer) => {
        /** @type {Buffer[]} */
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.once('error', reject);
        answer.once('end', () => {
          const said = Buffer.concat(parts).toString();
          const isJson = answer.headers['content-type']?.includes('json') ?? false;
          const value = isJson ? JSON.parse(said) : said;
          const status = answer.statusCode ?? 0;
          if (status < 300) resolve(value);
          else reject(new Refused(status, `${method} ${path}: ${status} ${isJson ? value.message : said}`));
        });
      });
      asked.once('error', reject);
      asked.once('timeout', () => asked.destroy(new Error(`${method} ${path}: no answer for a minute`)));
      asked.end(text);
    });
  }
}
