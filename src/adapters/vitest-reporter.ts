import { relative } from 'node:path';
import type { UsedCassette } from './test/claim-test-cassette.ts';

/** The structure of a vitest reporter. */
export interface RecordedReporter {
  onTestRunEnd(modules: readonly TestModule[]): void;
}

/** A test file, as reported by vitest 3 and later. */
export interface TestModule {
  children: { allTests(): Iterable<{ meta(): object }> };
}

/** Returns a reporter that lists recordings at the end of a run: `reporters: ['default', recordedReporter()]`. */
export function recordedReporter(say: (line: string) => void = console.log): RecordedReporter {
  return {
    onTestRunEnd(modules) {
      const used = modules.flatMap(({ children }) => [...children.allTests()].flatMap((test) => usedBy(test.meta())));
      for (const line of summary(used)) say(line);
    },
  };
}

function usedBy(meta: { mcpRecord?: readonly UsedCassette[] }): readonly UsedCassette[] {
  return meta.mcpRecord ?? [];
}

function summary(used: readonly UsedCassette[]): string[] {
  if (used.length === 0) return [];
  const replayed = used.filter(({ mode }) => mode === 'replay').length;
  const written = used.flatMap((one) => one.written ?? []);
  const kept = used.flatMap((one) => one.kept ?? []);
  return [
    `mcp-record: ${written.length} recorded, ${replayed} replayed${kept.length > 0 ? `, ${kept.length} of failed tests kept` : ''}`,
    ...written.map((file) => `  recorded ${shown(file)}`),
    ...kept.map((file) => `  kept ${shown(file)}: its test failed`),
  ];
}

/** Returns a path relative to the working directory. */
function shown(file: string): string {
  return relative(process.cwd(), file);
}
