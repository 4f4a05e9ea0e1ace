/** What `shrink` refuses, and what scenarios with the points that it writes are refused for. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Command, mcpRecord } from '../../../support/command.ts';
import { fixture, run } from '../../../support/process.ts';
import {
  client,
  file,
  folder,
  listed,
  newFile,
  newFolder,
  ofServer,
  PATIENT,
  play,
  recorded,
  server,
  shrink,
} from './shrinking.ts';

describe('shrink of a failure without a fault', () => {
  const scenario = (play: string) =>
    file(
      `cassette: ${recorded}\nplay: ${play}\nexpect: [${play === 'server' ? '{ exit: 0 }' : '{ call: tools/call, ends: succeeds }'}]\n`,
    );

  it.each<[string, string, string]>([
    ['of a client, of a scenario', scenario('server'), 'cut --drop --lines N'],
    ['of a client, of a cassette', recorded, 'cut --drop --lines N'],
    ['of a server', scenario('client'), 'shrink --server CASSETTE'],
  ])('says what to do in its place: %s', async (_, path, next) => {
    const { command, args } = client('fails');
    const { stderr, status } = await run(mcpRecord('shrink', '-o', newFolder(), path, '--', command, ...args));
    expect([`${stderr}`, status]).toEqual([expect.stringContaining(next), 2]);
    expect(`${stderr}`).not.toContain('mcp-record sweep lists the points');
  });
});

describe('shrink is refused', () => {
  const taken = newFolder();
  mkdirSync(taken);
  writeFileSync(join(taken, 'file'), '');
  const noServer = file('format: mcp-record/1\nevents:\n- client: { method: notifications/initialized }\n');
  const method = join(folder, 'method.yaml');
  writeFileSync(
    method,
    `cassette: ${recorded}\nplay: server\nfaults:\n- { do: drop, when: { method: tools/call } }\nexpect: [{ exit: 0 }]\n`,
  );
  const good = client('fails');

  it.each<[string, string[], Command, string]>([
    ['for a failure that is none', ['--point', 'error-reply@2', ...PATIENT, recorded], good, 'SHRINK_NO_FAILURE'],
    ['for a place that is not in the cassette', ['--point', 'cut@99', recorded], good, 'USAGE_BAD_SWEEP'],
    ['for a fault that is none', ['--point', 'ctu@1', recorded], good, 'USAGE_BAD_SWEEP'],
    ['without a point', [recorded], good, 'USAGE_BAD_SWEEP'],
    ['for a budget that is none', ['--budget', '1h', '--point', 'cut@1', recorded], good, 'USAGE_BAD_SWEEP'],
    [
      'for a command that is not there',
      ['--point', 'cut@1', recorded],
      { command: 'no-such', args: [] },
      'COMMAND_NOT_FOUND',
    ],
    [
      'for a client that ends at once',
      ['--point', 'cut@1', recorded],
      { command: 'true', args: [] },
      'SERVER_NOT_REACHED',
    ],
    [
      'for a client that fails by itself',
      ['--point', 'cut@1', recorded],
      { command: 'false', args: [] },
      'SWEEP_BASELINE',
    ],
    ['for a cassette without the other side', ['--point', 'cut@1', noServer], good, 'SWEEP_NO_POINTS'],
    ['for a message that the client does not get', ['--point', 'cut@5', ...PATIENT, recorded], good, 'SWEEP_NO_POINTS'],
    ['for a folder with files', ['--point', 'cut@1', '-o', taken, recorded], good, 'USAGE_FOLDER_IN_USE'],
    ['for a scenario without a single place', [method], good, 'SCENARIO_BAD'],
    ['for a scenario and a point', ['--point', 'cut@1', method], good, 'USAGE_OPTION_WITHOUT_MEANING'],
    ['for a file that is not there', ['--point', 'cut@1', join(folder, 'none.yaml')], good, 'CASSETTE_NOT_FOUND'],
    [
      'for a server that is not there',
      ['--server', '--point', 'slice@3', ofServer],
      { command: 'no-such', args: [] },
      'COMMAND_NOT_FOUND',
    ],
    [
      'for a server that ends at once',
      ['--server', '--point', 'slice@3', ofServer],
      { command: 'false', args: [] },
      'SWEEP_BASELINE',
    ],
    ['for a server that does not fail', ['--server', '--point', 'slice@3', ofServer], server(), 'SHRINK_NO_FAILURE'],
    ['for a client without calls', ['--server', '--point', 'slice@1', noServer], server(), 'SWEEP_NO_POINTS'],
    [
      'for a server without tools',
      ['--server', '--inputs', '--point', 'edge-strings@say', ofServer],
      server(),
      'SWEEP_NO_POINTS',
    ],
  ])('%s', async (_, options, command, code) => {
    const small = newFolder();
    const output = options.includes('-o') ? [] : ['-o', small];
    const { stderr, status } = await shrink([...output, ...options], command);
    expect([stderr, status]).toEqual([expect.stringContaining(`[${code}]`), 2]);
    expect(existsSync(small)).toBe(false);
  });

  it('for a tool that may remove something, without --destructive', async () => {
    const tool = file(readFileSync(listed, 'utf8').replace('readOnlyHint: true', 'readOnlyHint: false'));
    const options = ['--server', '--inputs', '--point', 'missing-required@say', '-o', newFolder(), tool];
    const { stderr, status } = await shrink(options, server());
    expect([stderr, status]).toEqual([expect.stringContaining('--destructive'), 2]);
  });
});

describe('a scenario with a pair', () => {
  const sound = fixture('needs-two-faults.js', 'sound', '{server}');
  const pair = (text: string) =>
    file(`cassette: ${recorded}\nplay: server\n${text}deadline: 60000\nexpect: [{ verdict: good }]\n`);

  it('has the parameters of each fault, and fails if not even the first one happened', async () => {
    const late = pair('point: latency@5+junk@9\nparams: { latency: { delay: 1 } }\n');
    const { stdout, status } = await play(late, client('fails'));
    expect([stdout.toString(), status]).toEqual([expect.stringContaining('unreached: it ended with'), 1]);
  });

  it('passes a client that gives up at the first fault, and says so of its end', async () => {
    const { stdout, status } = await play(pair('point: error-reply@1+junk@2\n'), sound);
    expect([stdout.toString(), status]).toEqual([expect.stringMatching(/^✓ error-reply@1\+junk@2/), 0]);
  });

  it.each(['{ delay: 1 }', '{ drop: { delay: 1 } }'])('is refused with the parameters %s', async (params) => {
    const { stderr, status } = await play(pair(`point: latency@2+junk@3\nparams: ${params}\n`), sound);
    expect([stderr, status]).toEqual([
      expect.stringMatching(/"point": the parameters of a pair .*\[SCENARIO_BAD\]/),
      2,
    ]);
  });
});

describe('a scenario with a point', () => {
  const scenario = (text: string) => file(`cassette: ${recorded}\n${text}`);

  it('fails if the point is not reached: nothing was tested', async () => {
    const late = scenario('play: server\npoint: junk@5\ndeadline: 60000\nexpect: [{ verdict: good }]\n');
    const { stdout, status } = await play(late, client('fails'));
    expect([stdout.toString(), status]).toEqual([expect.stringContaining('unreached: it ended with 0'), 1]);
  });

  it('names the key of a deadline that has passed', async () => {
    const short = scenario('play: server\npoint: stall@2\ndeadline: 3000\nexpect: [{ verdict: good }]\n');
    const { stdout, status } = await play(short, client('hangs'));
    const next = 'hung: it had not ended after 3000 ms. If it gives up later, set a longer "deadline" in the scenario';
    expect([stdout.toString(), status]).toEqual([expect.stringContaining(next), 1]);
  });

  it('is refused for a point that is not in the cassette, by the key of the scenario', async () => {
    const { stderr, status } = await play(
      scenario('play: server\npoint: cut@99\nexpect: [{ verdict: good }]\n'),
      client('fails'),
    );
    expect([stderr, status]).toEqual([expect.stringMatching(/"point": there is no such point\. \[SCENARIO_BAD\]/), 2]);
  });

  it('keeps no cassette', async () => {
    const file = scenario('play: server\npoint: cut@1\nexpect: [{ verdict: good }]\n');
    const { stderr } = await run(mcpRecord('run', '--keep', newFile(), file, '--', 'true'));
    expect(stderr).toContain('[USAGE_OPTION_WITHOUT_MEANING]');
  });
});
