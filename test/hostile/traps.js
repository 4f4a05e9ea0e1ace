// What a program must not do because a cassette says so: each such act is written down with the run in which it happened.
// Loaded by run-plan.js before the program, so that the program imports the watched functions.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the current run may do. `acts` collects what it did beyond that. */
export const run = { acts: [], ports: new Set(), spawns: [], writable: [], readable: [], isWatched: false };

/** What a run opened, for its end. */
export const opened = {
  sockets: new Set(),
  servers: new Set(),
  watchers: new Set(),
  timers: new Set(),
  children: new Set(),
};

/** Functions as they were, for the driver itself. */
export const own = { appendFileSync: fs.appendFileSync, readFileSync: fs.readFileSync, mkdirSync: fs.mkdirSync };

function act(what) {
  if (run.isWatched) run.acts.push(what.slice(0, 500));
}

function wrap(owner, name, before) {
  const original = owner[name];
  owner[name] = function watched(...args) {
    before.call(this, args);
    return original.apply(this, args);
  };
}

const isBelow = (file, folders) =>
  folders.some((folder) => file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep));
const pathOf = (file) => {
  if (typeof file === 'number') return undefined;
  if (file instanceof URL) return fileURLToPath(file);
  if (typeof file === 'string' || Buffer.isBuffer(file)) return path.resolve(String(file));
  return undefined;
};

function writes(file, name) {
  const at = pathOf(file);
  if (at !== undefined && at !== '/dev/null' && !isBelow(at, run.writable)) act(`write: ${name} ${at}`);
}

/** Where a command that has started programs looks which of their processes are left. */
const PROCESSES = /^\/proc(?:\/\d+(?:\/(?:stat|environ|cmdline))?)?$/;

function reads(file, name) {
  const at = pathOf(file);
  if (at !== undefined && run.spawns.length > 0 && PROCESSES.test(at)) return;
  if (at !== undefined && !isBelow(at, [...run.readable, ...run.writable])) act(`read: ${name} ${at}`);
}

const isForReading = (flags) => flags === undefined || flags === 'r' || flags === fs.constants.O_RDONLY;

export function install() {
  for (const owner of [fs, fs.promises]) {
    const suffix = owner === fs ? ['', 'Sync'] : [''];
    for (const end of suffix) {
      for (const name of [
        'writeFile',
        'appendFile',
        'rm',
        'rmdir',
        'unlink',
        'mkdir',
        'mkdtemp',
        'truncate',
        'chmod',
        'chown',
        'utimes',
      ])
        if (owner[name + end]) wrap(owner, name + end, ([file]) => writes(file, name));
      for (const name of ['rename', 'copyFile', 'link', 'symlink', 'cp'])
        if (owner[name + end])
          wrap(owner, name + end, ([from, to]) => {
            if (name === 'rename') writes(from, name);
            else reads(from, name);
            writes(to, name);
          });
      for (const name of ['readFile', 'readdir', 'opendir'])
        if (owner[name + end]) wrap(owner, name + end, ([file]) => reads(file, name));
      wrap(owner, `open${end}`, ([file, flags]) => (isForReading(flags) ? reads : writes)(file, 'open'));
    }
  }
  wrap(fs, 'createReadStream', ([file, options]) => options?.fd === undefined && reads(file, 'createReadStream'));
  wrap(fs, 'createWriteStream', ([file, options]) => options?.fd === undefined && writes(file, 'createWriteStream'));
  keep(fs, 'watch', opened.watchers);

  wrap(childProcess.ChildProcess.prototype, 'spawn', function ([{ file, args }]) {
    spawned([file, ...(args ?? []).slice(1)]);
    opened.children.add(this);
  });
  for (const name of ['spawnSync', 'execSync', 'execFileSync'])
    wrap(childProcess, name, ([file, args]) => spawned([file, ...(Array.isArray(args) ? args : [])]));

  wrap(net.Socket.prototype, 'connect', function (args) {
    // Node passes its arguments on in a list of its own.
    const [first, second] = Array.isArray(args[0]) ? args[0] : args;
    const { port, host, path: pipe } = typeof first === 'object' ? first : { port: first, host: second };
    opened.sockets.add(this);
    const isNamed = pipe == null && [undefined, '127.0.0.1', 'localhost'].includes(host) && run.ports.has(Number(port));
    if (!isNamed) act(`connect: ${pipe ?? `${host}:${port}`}`);
  });
  keep(net.Server.prototype, 'listen', opened.servers, (server) =>
    server.once('listening', () => run.ports.add(server.address().port)),
  );
  for (const owner of [dns, dns.promises])
    for (const name of [
      'lookup',
      'lookupService',
      'resolve',
      'resolve4',
      'resolve6',
      'resolveAny',
      'resolveTxt',
      'reverse',
    ])
      wrap(owner, name, ([host]) => !['127.0.0.1', 'localhost'].includes(host) && act(`dns: ${name} ${host}`));
  wrap(dgram, 'createSocket', () => act('udp'));
  wrap(process, 'kill', ([pid, signal]) => {
    const isOurs = [...opened.children].some((child) => Math.abs(pid) === child.pid);
    if (signal !== 0 && !isOurs) act(`kill: ${pid} ${signal}`);
  });
  keepTimers();
  syncBuiltinESMExports();
}

/** What kills the processes of a child when the program is gone. It is given the number of that child, and nothing else. */
const WATCHDOG = ['/bin/sh', '-c', 'read -r _; kill -s KILL -- "-$1"', 'watchdog'];

function spawned(words) {
  const [pid] = words.slice(WATCHDOG.length);
  if (
    WATCHDOG.every((word, index) => word === words[index]) &&
    [...opened.children].some((child) => String(child.pid) === pid)
  )
    return;
  const isNamed = run.spawns.some(
    (named) =>
      named.every((word, index) => word === '…' || words[index] === word) &&
      (named.at(-1) === '…' || named.length === words.length),
  );
  if (!isNamed) act(`spawn: ${JSON.stringify(words)}`);
}

/** Keeps what a function returns (or, of a method, its owner) until the end of the run. */
function keep(owner, name, kept, also = () => {}) {
  const original = owner[name];
  owner[name] = function watched(...args) {
    const result = original.apply(this, args);
    kept.add(result);
    also(result);
    return result;
  };
}

function keepTimers() {
  for (const name of ['setTimeout', 'setInterval']) {
    const original = globalThis[name];
    globalThis[name] = (...args) => {
      const timer = original(...args);
      if (run.isWatched) opened.timers.add(timer);
      return timer;
    };
  }
}

/** Ends what a run has left. */
export function endAll() {
  for (const timer of opened.timers) clearTimeout(timer);
  for (const watcher of opened.watchers) watcher.close();
  for (const socket of opened.sockets) socket.destroy();
  for (const server of opened.servers) {
    server.closeAllConnections?.();
    server.close();
  }
  for (const child of opened.children) {
    try {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  }
  for (const kept of Object.values(opened)) kept.clear();
}
