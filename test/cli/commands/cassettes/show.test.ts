import { describe, expect, it } from 'vitest';
import { showCommand } from './show-command.ts';

const { show } = showCommand();

describe('mcp-record show', () => {
  it('prints a session as a timeline', () => {
    const { stdout, stderr, status } = show('cassette.yaml');
    expect(stdout).toMatchInlineSnapshot(`
      "cassette.yaml · stdio · mcp-record 0.1.0

      line  seconds    took  bytes  what
         5    0.000  400 ms     74  → tools/call "add"  {"a":1}
        12    0.400             58  ←   result for 5  2

      1 request of the client and 0 of the server (1 answered), 0 notifications, 0.400 s
      "
    `);
    expect([stderr, status]).toEqual(['', 0]);
  });

  it('prints the same as JSON', () => {
    const { stdout, status } = show('cassette.yaml', '--json');
    expect(status).toBe(0);
    const { rows, ...rest } = JSON.parse(stdout);
    expect(rest).toMatchObject({ file: 'cassette.yaml', end: 'complete', lasted: 400, fates: { answered: 1 } });
    expect(rows).toMatchObject([
      { line: 5, kind: 'request', what: 'tools/call "add"', answer: 12, took: 400 },
      { line: 12, kind: 'response', what: 'result', detail: '2', request: 5 },
    ]);
  });

  it('says what is wrong with a file that is no cassette, and exits with 2', () => {
    const { stdout, stderr, status } = show('nothing.yaml');
    expect([stdout, status]).toEqual(['', 2]);
    expect(stderr).toContain('CASSETTE_NOT_FOUND');
    expect(stderr).not.toContain('    at ');
  });
});
