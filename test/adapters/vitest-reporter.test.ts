import { expect, it } from 'vitest';
import { recordedReporter } from '../../src/adapters/vitest-reporter.ts';

const ran = (...metas: object[]) => ({
  children: { allTests: () => metas.map((meta) => ({ meta: () => meta })) },
});
const used = (cassette: string, more: object) => ({ cassette, written: undefined, kept: undefined, ...more });

function said(...modules: ReturnType<typeof ran>[]): string[] {
  const lines: string[] = [];
  recordedReporter((line) => lines.push(line)).onTestRunEnd(modules);
  return lines;
}

it('says what was recorded, and what failed tests left', () => {
  const one = ran(
    {
      mcpRecord: [used('a.yaml', { mode: 'record', written: 'a.yaml' }), used('b.yaml', { mode: 'replay' })],
    },
    {},
  );
  const two = ran({ mcpRecord: [used('c.yaml', { mode: 'record', kept: 'c.recording.yaml' })] });
  expect(said(one, two)).toEqual([
    'mcp-record: 1 recorded, 1 replayed, 1 of failed tests kept',
    '  recorded a.yaml',
    '  kept c.recording.yaml: its test failed',
  ]);
});

it('says nothing of a run without cassettes', () => {
  expect(said(ran({}), ran())).toEqual([]);
});
