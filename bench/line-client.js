/** A client over stdio that counts newlines, so that it costs as little as a client can. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { complaintOf } from './complaint.js';
import { workOf } from './profile/threads.js';

export const call = (n) => ({ name: 'echo', arguments: { message: 'hello', n } });

export class LineClient {
  constructor(command) {
    this.child = spawn(process.execPath, command, { stdio: 'pipe' });
    this.ended = once(this.child, 'close');
    this.lines = 0;
    this.bytes = 0;
    /** What was said last, for who looks whether it is right. */
    this.last = '';
    this.onLines = () => {};
    /** Told where it ends without being asked to: it will not answer any more. */
    this.onEnd = () => {};
    const complaint = complaintOf(this.child);
    this.child.once('close', (status, signal) =>
      this.onEnd(new Error(`${command.join(' ')} ended before it had answered: ${signal ?? status}\n${complaint()}`)),
    );
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (data) => {
      let lines = 0;
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines++;
      this.lines += lines;
      this.bytes += data.length;
      this.last = data;
      if (lines > 0) this.onLines(lines);
    });
  }

  say(id, method = 'tools/call', params = call(id)) {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  }

  /** Resolves when `count` more lines have come. */
  heard(count) {
    const until = this.lines + count;
    return new Promise((resolve, reject) => {
      this.onLines = () => void (this.lines >= until && resolve());
      this.onEnd = reject;
    });
  }

  /** Asks, and waits for the answer. */
  async ask(...message) {
    const heard = this.heard(1);
    this.say(...message);
    await heard;
  }

  /** What all threads of what was started have worked, in µs. */
  cpu() {
    const { main, others } = workOf(this.child.pid);
    return main + others;
  }

  /** Its resident memory, in MB. */
  memory() {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'));
    return Number(kilobytes) / 1024;
  }

  async close() {
    this.child.stdin.end();
    await this.ended;
  }
}

/** Times of `calls` calls in ms, one at a time, after some that do not count; `first` is the number of the first of all. */
export async function oneByOne(client, calls, warmUp = Math.min(500, calls), first = 0) {
  const times = [];
  for (let n = 0; n < calls + warmUp; n++) {
    const began = performance.now();
    await client.ask(first + n);
    if (n >= warmUp) times.push(performance.now() - began);
  }
  return times;
}

/** Notifications in a second, of `count`: of a `flood`, which the server says as fast as somebody reads, or of a `burst`, which it says at once. */
export async function flooded(command, count, method = 'flood') {
  const client = new LineClient(command);
  await client.ask(0);
  const all = client.heard(count + 1);
  const began = performance.now();
  client.say(1, method, { count });
  await all;
  const seconds = (performance.now() - began) / 1_000;
  await client.close();
  if (client.lines !== count + 2) throw new Error(`${client.lines} lines came of ${count + 2}`);
  return count / seconds;
}

/** Calls `first` and all that follow it with 64 in flight, until `calls` were answered. */
export function pump(client, calls, first = 0) {
  if (calls === 0) return Promise.resolve();
  let [sent, answered] = [0, 0];
  return new Promise((resolve, reject) => {
    client.onEnd = reject;
    client.onLines = (lines) => {
      answered += lines;
      while (sent < calls && sent - answered < 64) client.say(first + sent++);
      if (answered >= calls) resolve();
    };
    while (sent < Math.min(64, calls)) client.say(first + sent++);
  });
}
