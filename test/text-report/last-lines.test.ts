import { describe, expect, it } from 'vitest';
import { lastLines } from '../../src/text-report/last-lines.ts';

const TRACE = [
  'starting',
  'node:internal/modules/esm/resolve:283',
  '    throw new ERR_MODULE_NOT_FOUND(',
  '    ^',
  '',
  "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/config.mjs' imported from /app/server.mjs",
  ...Array.from({ length: 9 }, (_, n) => `    at frame${n} (node:internal/modules/esm/loader:264:38)`),
  '  code: 1',
  '}',
  '',
  'Node.js v20.20.2',
];

describe('the last lines of standard error', () => {
  it('keep the message of an error above its stack', () => {
    const shown = lastLines(TRACE.join('\n'));
    expect(shown).toHaveLength(8);
    expect(shown.join('\n')).toContain('Cannot find module');
    expect(shown.join('\n')).not.toContain('    at frame');
  });

  it('are all lines, with the stack, if they fit', () => {
    expect(lastLines(TRACE.join('\n'), TRACE.length)).toEqual(TRACE);
  });

  it('are cut where they are long, between characters', () => {
    const [short, long, astral] = ['a'.repeat(300), 'b'.repeat(2_000), `${'c'.repeat(299)}\u{1F600}d`];
    expect(lastLines([short, long, astral].join('\n'))).toEqual([
      short,
      `${'b'.repeat(300)}… (1,700 more characters)`,
      `${'c'.repeat(299)}… (3 more characters)`,
    ]);
  });

  it('are the last of ordinary lines', () => {
    expect(lastLines('one\ntwo\nthree\n', 2)).toEqual(['two', 'three']);
  });
});
