import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../../src/cli/commands/live/shrink.ts';
import type { Shrunk } from '../../../../src/sweep/shrink/shrink-failure.ts';
import { client, newFolder, PATIENT, play, recorded, server, shrink, twoOfServer } from './shrinking.ts';

it('says which point a point of another number was', () => {
  const observation = {
    point: 'truncate@3',
    title: 'answer to ping',
    verdict: 'hung',
    isBad: true,
    cause: 'c',
    stderrTail: '',
  };
  const shrunk = { observation, messages: 3, messagesBefore: 9, runs: 4, isCutShort: false } as unknown as Shrunk;
  const files = { cassette: 'c.yaml', scenario: 's.yaml', cause: 'c', again: 'mcp-record run s.yaml' };
  expect(reportOf(shrunk, { files, asked: 'truncate@4' }).slice(0, 2)).toEqual([
    'hung truncate@3: answer to ping',
    '    the point was truncate@4: messages before it are gone, so its number is another',
  ]);
  expect(reportOf(shrunk, { files, asked: 'truncate@3' }).join()).not.toContain('the point was');
  // Nothing is claimed to be smaller that is not.
  const said = (whole: object) =>
    reportOf({ ...shrunk, ...whole } as Shrunk, { files, asked: 'truncate@3' }).join('\n');
  expect(said({})).not.toContain('taken away');
  expect(said({ messages: 9 })).toMatch(/^9 of 9 messages left .*\nno message can be taken away: without any, /m);
  expect(said({ messages: 9, smallerMessages: 2 })).toMatch(/\nno message .*\nless is left in 2 messages\n/);
  expect(said({ messages: 9 }) + said({ smallerMessages: 2 })).not.toContain('less is left');
  // A search that was cut short has not shown that all are needed.
  expect(said({ messages: 9, isCutShort: true })).toMatch(/\nthe budget ended the search before it could take /);
  expect(said({ messages: 9, isCutShort: true })).not.toContain('no message');
  expect(said({ isCutShort: true })).toMatch(/\nthe budget ended the search before it had tried all: /);
});

describe('shrink', () => {
  it('writes the smallest cassette with which a client fails, and a scenario that fails until the client does not', async () => {
    const small = newFolder();
    const options = ['--point', 'error-reply@2', '--budget', '40', ...PATIENT];
    const { stdout, stderr, status } = await shrink([...options, '-o', small, recorded], client('crashes'));
    expect(stdout.toString()).toMatch(
      /^crashed error-reply@2: answer to tools\/call "weather"\n {4}it ended with SIGSEGV, after the fault\n {4}again: mcp-record run /,
    );
    expect(stdout.toString()).toMatch(/^5 of 21 messages left after \d+ runs, of which the last three failed/m);
    expect(stderr).toMatch(/5 of 21 messages left after \d+ runs/);
    expect(status).toBe(0);
    const cassette = readFileSync(join(small, 'cassette.yaml'), 'utf8');
    expect(cassette.match(/^- /gm)).toHaveLength(5);
    expect(cassette).not.toMatch(/instructions|about/);
    const scenario = join(small, 'scenario.yaml');
    expect(readFileSync(scenario, 'utf8')).toContain('\npoint: error-reply@2\ndeadline: 60000\n');
    const failing = await play(scenario, client('crashes'));
    expect([failing.stdout.toString(), failing.status]).toEqual([
      expect.stringMatching(
        /^✗ error-reply@2 \(answer to tools\/call "weather"\) has a good verdict: crashed: it ended/,
      ),
      1,
    ]);
    const mended = await play(scenario, client('fails'));
    expect([mended.stdout.toString(), mended.status]).toEqual([expect.stringMatching(/^✓ error-reply@2/), 0]);
  });

  it('does the same for a server, here with two calls', async () => {
    const small = newFolder();
    const options = ['--server', '--point', 'not-json@4', '--budget', '20', '-o', small];
    const { stdout, status } = await shrink([...options, twoOfServer], server('dies-of-no-json'));
    expect(stdout.toString()).toMatch(/^crashed not-json@3: tools\/call "notes"\n {4}the point was not-json@4: /);
    expect(stdout.toString()).toMatch(/^5 of 7 messages left/m);
    expect(status).toBe(0);
    expect((await play(join(small, 'scenario.yaml'), server('dies-of-no-json'))).status).toBe(1);
  });
});
