// A node whose pods are processes of this machine: what a kubelet does, as far as a chart and its programs can see it,
// without containers.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '../containers/free-ports.mjs';
import { Refused } from './api.mjs';

const lookEvery = 250;

/**
 * @typedef {object} Running
 * @property {any} pod
 * @property {number} port of loopback that stands for the pod's own
 * @property {string} ip what its status says
 * @property {import('node:child_process').ChildProcess} child
 * @property {Promise<unknown>} ended
 * @property {number} restarts
 * @property {boolean} ready
 * @property {boolean} ending
 */

export class ProcessKubelet {
  #api;
  #root;
  #folder;
  #name;
  #stopping = new AbortController();
  /** @type {Map<string, Running>} by the pod's uid */
  #running = new Map();
  #started = 0;
  /** @type {Promise<void> | undefined} */
  #loop;

  /**
   * @param {import('./api.mjs').KubernetesApi} api
   * @param {{ root: string, folder: string, name: string }} options - `root` of the clone; `folder` for caches and logs
   */
  constructor(api, { root, folder, name }) {
    this.#api = api;
    this.#root = root;
    this.#folder = folder;
    this.#name = name;
  }

  /** Joins the cluster as a node with room for so much. @param {{ cpu: string, memory: string }} room */
  async join(room) {
    mkdirSync(this.#folder, { recursive: true });
    const labels = { 'kubernetes.io/hostname': this.#name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
    await this.#api.post('/api/v1/nodes', { metadata: { name: this.#name, labels } });
    const capacity = { ...room, pods: '110', 'ephemeral-storage': '100Gi' };
    const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: now() };
    const status = { capacity, allocatable: capacity, conditions: [ready] };
    await this.#api.patch(`/api/v1/nodes/${this.#name}/status`, { status });
    // a new node is marked as not ready until a controller sees that it is, and that controller wants leases
    await this.#api.patch(`/api/v1/nodes/${this.#name}`, { spec: { taints: [] } });
    this.#loop = this.#work();
  }

  /** Where a program of a pod answers. @param {string} uid */
  urlOf(uid) {
    return `http://127.0.0.1:${this.#running.get(uid)?.port}`;
  }

  /** Ends all that runs, without a word to the API. */
  async stop() {
    this.#stopping.abort();
    await this.#loop;
    for (const { child, ended } of this.#running.values()) {
      child.kill('SIGKILL');
      await ended;
    }
  }

  async #work() {
    while (!this.#stopping.signal.aborted) {
      const { items } = await this.#api.get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${this.#name}`);
      await Promise.all(items.map((/** @type {any} */ pod) => this.#see(pod)));
      this.#endThoseGone(new Set(items.map((/** @type {any} */ { metadata }) => metadata.uid)));
      await delay(lookEvery);
    }
  }

  /** @param {any} pod as it is now */
  async #see(pod) {
    const running = this.#running.get(pod.metadata.uid);
    try {
      if (pod.metadata.deletionTimestamp) await this.#end(pod, running);
      else if (!running) await this.#start(pod);
      else await this.#tend(running);
    } catch (error) {
      // gone, or changed, since it was listed: the next look sees that
      if (!(error instanceof Refused && [404, 409].includes(error.status))) throw error;
    }
  }

  /** @param {any} pod */
  async #start(pod) {
    const [port = 0] = await freePorts(1);
    const env = await this.#environmentOf(pod);
    this.#started += 1;
    const ip = `10.244.${this.#started >> 8}.${this.#started & 255}`;
    const running = { pod, port, ip, restarts: 0, ready: false, ending: false, ...this.#spawn(pod, port, env) };
    this.#running.set(pod.metadata.uid, running);
    await this.#writeStatus(running);
  }

  /** @param {any} pod @param {number} port @param {Record<string, string>} own */
  #spawn(pod, port, own) {
    const folder = join(this.#folder, pod.metadata.name);
    mkdirSync(folder, { recursive: true });
    const log = openSync(join(folder, 'log'), 'a');
    const place = { ORCHARD_HOST: '127.0.0.1', ORCHARD_PORT: String(port), ORCHARD_HEALTH_PORT: String(port) };
    // PATH alone: what this process was given must not stand in for what the chart forgets
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      ORCHARD_CACHE_DIR: join(folder, 'cache'),
      ...place,
      ...own,
    };
    const program = join(this.#root, 'apps', pod.spec.containers[0].name, 'program/main.js');
    const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', log, log] });
    closeSync(log);
    return { child, ended: new Promise((resolve) => child.once('exit', resolve)) };
  }

  /**
   * What a container is given by ConfigMaps, Secrets and values.
   *
   * @param {any} pod
   * @returns {Promise<Record<string, string>>}
   */
  async #environmentOf(pod) {
    const { namespace } = pod.metadata;
    const [{ env = [], envFrom = [] }] = pod.spec.containers;
    /** @type {Record<string, string>} */
    const environment = {};
    for (const { configMapRef } of envFrom) {
      const { data } = await this.#api.get(`/api/v1/namespaces/${namespace}/configmaps/${configMapRef.name}`);
      Object.assign(environment, data);
    }
    for (const { name, value, valueFrom } of env) {
      if (value !== undefined) environment[name] = value;
      if (!valueFrom) continue;
      const { name: secret, key, optional = false } = valueFrom.secretKeyRef;
      const { data } = await this.#api.get(`/api/v1/namespaces/${namespace}/secrets/${secret}`);
      if (data[key] !== undefined) environment[name] = Buffer.from(data[key], 'base64').toString();
      else if (!optional)
        throw new Error(`The Secret ${secret} has no ${key}, which the pod ${pod.metadata.name} needs.`);
    }
    return environment;
  }

  /**
   * Kills what runs for pods that were deleted without a grace period.
   *
   * @param {Set<string>} known the pods that there are, by uid
   */
  #endThoseGone(known) {
    for (const [uid, { child }] of this.#running) {
      if (known.has(uid)) continue;
      child.kill('SIGKILL');
      this.#running.delete(uid);
    }
  }

  /** Starts again what ended by itself, and notes whether it is ready. @param {Running} running */
  async #tend(running) {
    if (running.child.exitCode !== null || running.child.signalCode !== null) {
      Object.assign(running, this.#spawn(running.pod, running.port, await this.#environmentOf(running.pod)));
      running.restarts += 1;
      running.ready = false;
      return await this.#writeStatus(running);
    }
    const { path } = running.pod.spec.containers[0].readinessProbe.httpGet;
    const answer = await fetch(`http://127.0.0.1:${running.port}${path}`, { signal: AbortSignal.timeout(5000) }).catch(
      () => null,
    );
    const ready = answer?.ok === true;
    if (ready === running.ready) return;
    running.ready = ready;
    await this.#writeStatus(running);
  }

  /**
   * Asks it to end, kills it when its time is over, and says then that the pod is gone.
   *
   * @param {any} pod
   * @param {Running} [running]
   */
  async #end(pod, running) {
    const { name, namespace, uid } = pod.metadata;
    if (running && !running.ending) {
      running.ending = true;
      running.child.kill('SIGTERM');
      const grace = setTimeout(() => running.child.kill('SIGKILL'), pod.metadata.deletionGracePeriodSeconds * 1000);
      void running.ended.then(() => clearTimeout(grace));
    }
    if (running && running.child.exitCode === null && running.child.signalCode === null) return;
    await this.#api.delete(`/api/v1/namespaces/${namespace}/pods/${name}`, {
      gracePeriodSeconds: 0,
      preconditions: { uid },
    });
    this.#running.delete(uid);
  }

  /** @param {Running} running */
  async #writeStatus({ pod, ip, ready, restarts }) {
    const { name, namespace } = pod.metadata;
    const conditions = ['Initialized', 'ContainersReady', 'Ready', 'PodScheduled'].map((type) => ({
      type,
      status: ready || ['Initialized', 'PodScheduled'].includes(type) ? 'True' : 'False',
      lastTransitionTime: now(),
    }));
    const [{ name: container, image }] = pod.spec.containers;
    const state = { running: { startedAt: now() } };
    const containerStatuses = [
      { name: container, image, imageID: '', ready, started: true, restartCount: restarts, state },
    ];
    const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], startTime: now(), conditions, containerStatuses };
    await this.#api.patch(`/api/v1/namespaces/${namespace}/pods/${name}/status`, { status });
  }
}

function now() {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
