/** Paths of sources, by how they begin, and how those of the tests begin. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** Tests of other rooms that are a source's own as well. Whatever else passes by it does not look at what it does. */
export const ALSO: Places = {
  'src/cassette/raw-tape.ts': ['test/record/redact-tape.test.ts'],
  'src/cassette/yaml/': ['test/record/redact-tape.test.ts'],
  'src/faults/': ['test/scenario/'],
  'src/faults/guarded.ts': ['test/adapters/fault-threw.test.ts'],
  'src/modes/misbehaving.ts': ['test/adapters/'],
  'src/record/recording-notes.ts': ['test/modes/redacted-answers.test.ts'],
  'src/record/redacted-values.ts': ['test/modes/redacted-answers.test.ts'],
};

/** What runs in processes of its own, or in a browser, where coverage is not measured, and the tests that run it. */
export const ELSEWHERE: Places = {
  'src/adapters/endpoint-in-mode.ts': ['test/e2e/adapters/'],
  'src/adapters/endpoint-recording.ts': ['test/e2e/adapters/'],
  'src/adapters/fetch-alone.ts': ['test/e2e/adapters/'],
  'src/adapters/msw.ts': ['test/e2e/adapters/'],
  'src/adapters/nock.ts': ['test/e2e/adapters/'],
  'src/adapters/peer.ts': ['test/e2e/adapters/'],
  'src/adapters/vitest.ts': ['test/adapters/vitest.test.ts'],
  'src/cli/': ['test/cli/', 'test/e2e/'],
  'src/page/assets.ts': ['test/browser/'],
  'src/page/browser/': ['test/browser/', 'test/page/browser/'],
  'src/record/record-stdio.ts': ['test/record/record-stdio.test.ts'],
  'src/scenario/join.ts': ['test/e2e/faults/'],
  'src/scenario/misbehaving-channel.ts': ['test/e2e/faults/'],
  'src/scenario/proxy-stdio.ts': ['test/e2e/faults/'],
  'src/sweep/grid.ts': ['test/sweep/sweep.test.ts'],
  'src/sweep/process-group.ts': ['test/sweep/sweep.test.ts'],
  'src/sweep/run-command.ts': ['test/sweep/sweep.test.ts'],
  'src/sweep/sweep.ts': ['test/sweep/sweep.test.ts'],
  'src/transports/http/agent.ts': ['test/e2e/http/web-proxy.test.ts'],
  'src/transports/http/line-dialer.ts': ['test/e2e/http/bridge.test.ts'],
  'src/transports/http/no-answer.ts': ['test/e2e/http/bridge.test.ts'],
  'src/transports/stdio/child.ts': ['test/record/record-stdio.test.ts'],
  'src/transports/stdio/outlet.ts': ['test/record/record-stdio.test.ts'],
  'src/transports/stdio/parent.ts': ['test/record/record-stdio.test.ts'],
  'src/transports/stdio/watchdog.ts': ['test/record/record-stdio.test.ts'],
};

/** Tests of whole programs, and of the house and its documents. */
export const OF_PROGRAMS: readonly string[] = [
  'test/*.test.ts',
  'test/{cli,e2e,guarantees,guards,manifest,proof}/**/*.test.ts',
  'test/adapters/vitest{,-watch}.test.ts',
  'test/record/record-stdio.test.ts',
  'test/sweep/sweep.test.ts',
];

/** Whether a test is one of a source's own: it is of the same room, or named above. */
export function isOwnTest(test: string, source: string): boolean {
  const [, room] = source.split('/');
  const others = Object.entries(ALSO).flatMap(([place, tests]) => (source.startsWith(place) ? tests : []));
  return [`test/${room}/`, ...others].some((start) => test.startsWith(start));
}
