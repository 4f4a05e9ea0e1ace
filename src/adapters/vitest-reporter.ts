import { relative } from 'node:path';
import type { UsedCassette } from './test/cassette-ownership.ts';

/** A vitest reporter, by its structure. */
export interface RecordedReporter {
  onTestRunEnd(modules: readonly TestModule[]): void;
}

/** What vitest 3 and later tell of a test file. */
interface TestModule {
  children: { allTests(): Iterable<{ meta(): object }> };
}

/** Says at the end of a run what was recorded: `reporters: ['default', recordedReporter()]`. */
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

/** A path as people type it. */
function shown(file: string): string {
  return relative(process.cwd(), file);
}
