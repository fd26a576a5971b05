import type { Cluster } from '../../infra/cluster/index.mjs';

/** Requests to a cluster, which has started when the first is made; with its full token unless another is given. */
export function asking(cluster: () => Cluster) {
  const ask = (path: string, init: RequestInit = {}, token = cluster().token): Promise<Response> =>
    fetch(cluster().url + path, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
  const post = (path: string, document: unknown, token?: string): Promise<Response> =>
    ask(
      path,
      { method: 'POST', body: JSON.stringify(document), headers: { 'Content-Type': 'application/json' } },
      token,
    );
  /** The document of an answer that is no refusal. */
  const json = async <Answer = Record<string, unknown>>(response: Promise<Response>): Promise<Answer> => {
    const answer = await response;
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Answer;
  };
  return { ask, post, json };
}
