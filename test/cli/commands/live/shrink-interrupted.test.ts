import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holds } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { fixture, gone, Running, run } from '../../../support/process.ts';
import { client, newFile, newFolder, ofServer, play, recorded, server, shrink } from './shrinking.ts';

describe('shrink', () => {
  it('does the same for a server', async () => {
    const small = newFolder();
    const options = ['--server', '--point', 'not-json@8', '--budget', '20', '-o', small];
    const { stdout, status } = await shrink([...options, ofServer], server('dies-of-no-json'));
    expect(stdout.toString()).toMatch(
      /^crashed not-json@3: tools\/call "notes"\n {4}the point was not-json@8: [^\n]+\n {4}its process ended with 1/,
    );
    expect(stdout.toString()).toContain('SyntaxError at ');
    expect(stdout.toString()).toMatch(/^5 of 35 messages left/m);
    expect(status).toBe(0);
    const scenario = join(small, 'scenario.yaml');
    expect((await play(scenario, server('dies-of-no-json'))).status).toBe(1);
    const mended = await play(scenario, server());
    expect([mended.stdout.toString(), mended.status]).toEqual([expect.stringMatching(/^✓ not-json@3/), 0]);
  });

  it('of a sweep with a header prints the command of the sweep, and no value of it', async () => {
    await using running = new Running(fixture('swept-http-server.js', 'answers-no-json-with-500'));
    const url = await running.line();
    const small = newFolder();
    const options = ['--server', '--http', '--header', 'Authorization: Bearer secret', '--point', 'not-json@3'];
    const { stdout, stderr } = await run(mcpRecord('shrink', ...options, '-o', small, ofServer, url));
    expect(`${stdout}${stderr}`).not.toContain('secret');
  });
});

describe('shrink that is interrupted', () => {
  it('writes the smallest cassette so far, exits with 130, and leaves no process', async () => {
    const [small, numbers] = [newFolder(), newFile()];
    const { command, args } = client('hangs');
    // Three runs: without a fault, and two that hang. The next two have a smaller cassette, without the fault and with it.
    const options = ['--point', 'stall@2', '--deadline', '3000', '-o', small, recorded];
    await using running = new Running({
      ...mcpRecord('shrink', ...options, '--', command, ...args),
      env: { PROCESSES: numbers },
    }).read();
    await holds(numbers, '\n', 6);
    running.signal('SIGINT');
    const { stderr, status } = await running.ended;
    for (const number of readFileSync(numbers, 'utf8').trim().split(/\s+/)) await gone(Number(number));
    expect([stderr, status]).toEqual([expect.stringContaining('the smallest so far'), 130]);
    expect(readFileSync(join(small, 'cassette.yaml'), 'utf8').match(/^- /gm)).toHaveLength(5);
  });

  it('before it has found any, writes nothing', async () => {
    const [small, numbers] = [newFolder(), newFile()];
    const { command, args } = client('hangs');
    const options = ['--point', 'stall@2', '--deadline', '600000', '-o', small, recorded];
    await using running = new Running({
      ...mcpRecord('shrink', ...options, '--', command, ...args),
      env: { PROCESSES: numbers },
    }).read();
    await holds(numbers, '\n', 2);
    running.signal('SIGINT');
    const { stderr, status } = await running.ended;
    expect([stderr, status, existsSync(small)]).toEqual([expect.stringContaining('nothing is written'), 130, false]);
  });
});
