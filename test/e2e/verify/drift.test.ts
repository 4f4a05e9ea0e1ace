import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/text-report/outcome-model.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';
import { recordSession, server } from './session.ts';

let folder: string;
let cassette: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-verify-'));
  cassette = join(folder, 'cassette.yaml');
  await recordSession(cassette);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Verifies the fixture, drifted or not, against the cassette of what it was. */
async function verify(drift?: string, ...options: string[]) {
  const { command, args } = server(drift);
  const { stdout, stderr, status } = await run(mcpRecord('verify', ...options, cassette, '--', command, ...args));
  expect(stderr).not.toMatch(/\n\s+at .*\.js/);
  return {
    text: stdout.toString(),
    head: stdout.toString().split('\n').slice(0, 10).join('\n'),
    stderr,
    status,
  };
}

describe('a server that has not drifted', () => {
  it('passes', async () => {
    const { text, status } = await verify();
    expect(text).toMatch(/\n8 passed in [\d.]+ s\n$/);
    expect(text).not.toContain('note:');
    expect(status).toBe(0);
  });

  it('passes under another version, which is noted', async () => {
    const { text, status } = await verify('newer');
    expect(text).toContain('note: The server says that its version is 2.0.0; recorded was 1.0.0.');
    expect(status).toBe(0);
  });
});

describe.concurrent('a drift is named in the first ten lines', () => {
  it.each([
    ['renamed-tool', '✗ tools/list: breaking: tool "add" was renamed to "add-numbers"'],
    ['new-required-argument', 'breaking: tool "weather": new required argument "country"'],
    ['changed-enum', 'breaking: tool "weather": argument "unit": value "celsius" is no longer allowed'],
    ['changed-order', '✗ tools/list: cosmetic: the order of the tools changed'],
    [
      'changed-text',
      '✗ tools/call "weather": /result/content/0/text ("Oslo has 20 degrees celsius" → "Oslo: 20 celsius")',
    ],
    ['extra-field', '✗ tools/call "add": /result/total is new: 3'],
    ['wrong-error-code', '✗ tools/call "nothing": error code -32602 → -32603'],
    ['missing-progress', '✗ progress of tools/call "work": missing progress: 1 of 3 reports came'],
    ['dropped-notification', '✗ notifications/message: dropped: this notification did not come'],
    ['asks-nothing', '✗ sampling/createMessage: dropped: the server did not ask this'],
    ['asks-other', '✗ tools/call "ask": error -32603 "MCP error -32603: mcp-record: Cannot an…'],
    ['crash', '✗ tools/call "weather": crashed: the server exited with 3 before it answered'],
    ['closed', '✗ tools/call "weather": crashed: the server closed its output before it answered'],
    ['hung', '✗ tools/call "add": hung: no answer came in time'],
    ['junk', '✗ standard output: 1 line that is no message: "fetching the weather..."'],
  ])('%s', async (drift, says) => {
    const { head, status } = await verify(drift, '--timeout', '3000');
    expect(head).toContain(says);
    expect(status).toBe(1);
  });

  it('and a further one after the difference of the first', async () => {
    const { text } = await verify('asks-other', '--timeout', '3000');
    expect(text).toContain(
      '✗ a request of the server: Cannot answer sampling/createMessage: no recorded call matches.',
    );
  });

  it('slower than in the cassette', async () => {
    const { head, status } = await verify('slow', '--slower', '2x');
    expect(head).toMatch(/✗ tools\/call "add": slower: took \d+ ms, and \d+ ms before/);
    expect(status).toBe(1);
  });

  it('slower than a limit', async () => {
    const { head, status } = await verify('slow', '--max-time', '2500');
    expect(head).toMatch(/✗ tools\/call "add": slow: took \d+ ms, and 2500 ms are allowed/);
    expect(status).toBe(1);
  });
});

describe.concurrent('a server that misbehaves is reported, and ended', () => {
  it('tells what the server last said before it crashed, and what could not be checked', async () => {
    const { text } = await verify('crash');
    expect(text).toContain('stderr: out of weather');
    expect(text).toContain('1 failed, 7 passed');
  });

  it('names answers to requests that nobody made', async () => {
    const { text, status } = await verify('unknown-id', '--timeout', '3000');
    expect(text).toContain('✗ tools/call "add": hung: no answer came in time');
    expect(text).toContain('✗ answers of the server: 1 that answer no open request');
    expect(text).toContain('The server answered request "nobody", which is not open: ignored.');
    expect(status).toBe(1);
  });

  it.each(['flood-of-junk', 'flood-of-notifications'])('gives up on a %s', async (drift) => {
    // A busy machine takes long for so many lines.
    const { head, status } = await verify(drift, '--timeout', '120000');
    expect(head).toContain('gave up on the server: it floods: 100000 lines that the cassette does not have');
    expect(status).toBe(1);
  });

  it('cannot check a server that does not start', async () => {
    const { stdout, stderr, status } = await run(mcpRecord('verify', cassette, '--', 'no-such-server'));
    expect([stdout.toString(), status]).toEqual(['', 2]);
    expect(stderr).toContain('[COMMAND_NOT_FOUND]');
  });
});

describe.concurrent('other forms of the outcome', () => {
  it('is JSON for programs, with what was recorded and what came', async () => {
    const { text } = await verify('extra-field', '--json');
    const outcome = JSON.parse(text) as Outcome;
    expect(outcome).toMatchObject({ title: 'verify', file: cassette });
    expect(outcome.steps.filter(({ status }) => status === 'failed')).toMatchObject([
      { title: 'tools/call "add"', headline: '/result/total is new: 3', live: { result: { total: 3 } } },
    ]);
  });

  it('is JUnit XML and SARIF in files', async () => {
    const [junit, sarif] = [join(folder, 'out.xml'), join(folder, 'out.sarif')];
    await verify('changed-order', '--junit', junit, '--sarif', sarif);
    expect(readFileSync(junit, 'utf8')).toContain('tests="8" failures="1"');
    expect(JSON.parse(readFileSync(sarif, 'utf8')).runs[0].results).toMatchObject([{ level: 'note' }]);
  });

  it('proposes what differs between two runs, and applies nothing', async () => {
    const { text, status } = await verify('at-random', '--propose-ignores');
    expect(text).toContain("\n  match:\n    ignore:\n      - '/^\\d+(\\.\\d+)? degrees$/'\n");
    expect(text).toContain("Or the whole text, which may then be missing: '/result/content/0/text'\n");
    expect(status).toBe(1);
    const ignoring = await verify('at-random', '--ignore', '/result/content/0/text');
    expect(ignoring.status).toBe(0);
  });
});
