import { type Profiler, Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

// What is compiled to machine code, inlined, or thrown away for want of use is counted by other rules, at moments of its own.
for (const flag of ['--no-opt', '--no-sparkplug', '--no-flush-bytecode']) setFlagsFromString(flag);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
// Once, and never stopped: code that was compiled in between would not be counted.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * How much `task` does: the blocks of our sources, and of the YAML package, that V8 counts as run, and the items and bytes that built-in functions
 * of lists and buffers look through or copy, and a segmenter at each of its steps; with `decoding` also the bytes that become strings. It is the same on every
 * machine, so growth can be told without a clock. The task is synchronous, so nothing else can run meanwhile.
 */
export async function workOf(task: () => void, { decoding = false } = {}): Promise<number> {
  await blocksRun();
  const [builtIns, stop] = watchBuiltIns(decoding);
  try {
    task();
  } finally {
    stop();
  }
  return builtIns() + (await blocksRun());
}

/** Our sources, and the package that reads the YAML of strangers. */
const COUNTED = /\/src\/|\/node_modules\/yaml\//;

/** Since it was last asked. */
async function blocksRun(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.filter(({ url }) => COUNTED.test(url)).reduce((sum, script) => sum + blocksOf(script), 0);
}

function blocksOf({ functions }: Profiler.ScriptCoverage): number {
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
}

/** Those that go through a list from its beginning, or move what follows. */
const THROUGH = ['includes', 'indexOf', 'shift', 'unshift', 'splice', 'concat', 'slice'] as const;

function watchBuiltIns(decoding: boolean): [work: () => number, stop: () => void] {
  let work = 0;
  const stops = THROUGH.map((name) =>
    replace<unknown[]>(Array.prototype, name, (original, list, args) => {
      work += list.length;
      return original.apply(list, args);
    }),
  );
  stops.push(
    replace<typeof Buffer>(Buffer, 'concat', (original, owner, args) => {
      const joined = original.apply(owner, args) as Buffer;
      work += joined.length;
      return joined;
    }),
  );
  stops.push(
    replace<Buffer>(Buffer.prototype, 'toString', (original, bytes, args) => {
      const [, start = 0, end = bytes.length] = args as [string?, number?, number?];
      if (decoding) work += end - start;
      return original.apply(bytes, args);
    }),
  );
  stops.push(
    replace<Intl.Segmenter>(Intl.Segmenter.prototype, 'segment', (original, segmenter, args) => {
      const segments = original.apply(segmenter, args) as Intl.Segments;
      return {
        containing: segments.containing.bind(segments),
        *[Symbol.iterator]() {
          for (const segment of segments) {
            work += String(args[0]).length;
            yield segment;
          }
        },
      };
    }),
  );
  const stop = () => {
    for (const each of stops) each();
  };
  return [() => work, stop];
}

type Function = (this: unknown, ...args: unknown[]) => unknown;

/** Puts `instead` in the place of a method, and gives what takes it away again. */
function replace<This>(
  owner: object,
  name: string,
  instead: (original: Function, self: This, args: unknown[]) => unknown,
): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)!;
  const original = descriptor.value as Function;
  const value = function (this: This, ...args: unknown[]) {
    return instead(original, this, args);
  };
  Object.defineProperty(owner, name, { ...descriptor, value });
  return () => void Object.defineProperty(owner, name, descriptor);
}
