// Stands in for k6, which is a program of its own that does not run here: the parts of its API that a script of `load --export k6` uses, with real HTTP.
// All of `k6`, `k6/http`, `k6/metrics` and `k6/execution` are this module.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** All samples, in the order in which they were taken. */
export const samples = [];
/** What each check came to, by its name. */
export const checks = {};

class Metric {
  constructor(name) {
    if (!/^[A-Za-z_]\w{0,127}$/.test(name)) throw new Error(`${name} is no name of a metric`);
    this.name = name;
  }

  add(value, tags = {}) {
    for (const tag of Object.values(tags)) if (typeof tag !== 'string') throw new Error(`${tag} is no tag`);
    samples.push({ metric: this.name, value: Number(value), tags });
  }
}
export class Counter extends Metric {}
export class Rate extends Metric {}
export class Trend extends Metric {}

export function check(value, sets) {
  let all = true;
  for (const [name, holds] of Object.entries(sets)) {
    if (name.includes('::')) throw new Error("group and check names may not contain '::'");
    const result = Boolean(holds(value));
    const counts = checks[name] ?? { passes: 0, fails: 0 };
    checks[name] = counts;
    counts[result ? 'passes' : 'fails']++;
    all &&= result;
  }
  return all;
}

export function sleep(seconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1_000);
}

const flag = new Int32Array(new SharedArrayBuffer(4));
const { port1, port2 } = new MessageChannel();
const worker = new Worker(new URL('./http-worker.js', import.meta.url), {
  workerData: { flag, port: port2 },
  transferList: [port2],
});
worker.unref();

/** Sends a request, and blocks until the whole response is there, as k6 does. */
function request(method, url, body, { headers = {}, timeout = 60_000 } = {}) {
  if (body !== null && typeof body !== 'string') throw new Error('a body is a string or null');
  Atomics.store(flag, 0, 0);
  port1.postMessage({ method, url, body, headers, timeout });
  Atomics.wait(flag, 0, 0);
  const response = receiveMessageOnPort(port1).message;
  samples.push({ metric: 'http_req_duration', value: response.timings.duration, tags: {} });
  return response;
}

export default {
  post: (url, body, params) => request('POST', url, body, params),
  del: (url, body, params) => request('DELETE', url, body, params),
  expectedStatuses: (...statuses) => statuses,
  scenario: { iterationInTest: 0 },
};
