/** Where a sample of a profile belongs: a room of src, Node's own parts, the kernel, the collector. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const IDLE = '(idle)';
const PROGRAM = 'native, and reading from peers';
const NATIVE = new Map([
  ['(garbage collector)', 'collecting garbage'],
  ['(program)', PROGRAM],
]);
/** These do what they are asked to by their caller. */
const HELPS = /^node:(buffer|string_decoder|util|internal\/(buffer|util|per_context))/;
const WRITTEN_IN = /^\/\/ (?:src\/([\w-]+)|node_modules\/((?:@[\w-]+\/)?[\w.-]+))\//;
/** What hands bytes to the kernel. */
const SENDS = /^write(v|Buffer|\w+String)$/;

/** What was sampled from `from` to `to`, by place, in µs; idle time is left out. */
export function placesOf({ nodes, samples, timeDeltas, startTime }, { from, to }) {
  const places = placeOfEach(nodes);
  const times = new Map();
  let at = startTime;
  for (const [sample, delta] of timeDeltas.entries()) {
    at += delta;
    const place = places.get(samples[sample]);
    if (at < from || at >= to || place === IDLE) continue;
    times.set(place, (times.get(place) ?? 0) + delta);
  }
  return times;
}

/** What is native, or helps like bytes made text, belongs to whoever called it; callers stand before what they call. */
function placeOfEach(nodes) {
  const places = new Map();
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  for (const { id, callFrame } of nodes) {
    const caller = places.get(callers.get(id));
    places.set(id, placeOf(callFrame) ?? calledBy(caller, callFrame.functionName));
  }
  return places;
}

function placeOf({ functionName, url, lineNumber }) {
  if (functionName === IDLE) return IDLE;
  if (NATIVE.has(functionName)) return NATIVE.get(functionName);
  if (url.includes('/dist/bin/')) return placeOfLine(url)[lineNumber];
  const room = /\/dist\/([\w-]+)\//.exec(url)?.[1];
  const isInstalled = /\/node_modules\/((?:@[\w-]+\/)?[\w.-]+)\//.exec(url)?.[1];
  if (isInstalled) return isInstalled;
  if (room) return `src/${room}`;
  if (url === 'node:fs') return 'the disk';
  if (url.startsWith('node:') && !HELPS.test(url)) return "Node's streams";
  return url === '' || HELPS.test(url) ? undefined : 'its own code';
}

const bundled = new Map();

/** By line of a file of the program: each part of it begins with a comment that says which file it was written in. */
function placeOfLine(url) {
  if (bundled.has(url)) return bundled.get(url);
  let place;
  const places = readFileSync(fileURLToPath(url), 'utf8')
    .split('\n')
    .map((line) => {
      const [, room, name] = WRITTEN_IN.exec(line) ?? [];
      place = (room && `src/${room}`) ?? name ?? place;
      return place;
    });
  bundled.set(url, places);
  return places;
}

function calledBy(caller = PROGRAM, name) {
  return caller === "Node's streams" && SENDS.test(name) ? 'writing to peers' : caller;
}
