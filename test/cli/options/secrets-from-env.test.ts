import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { fixture, recorder, run } from '../../support/process.ts';

const TOKEN = 'q7Zk29xLmP0vRt41';
const ASK = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x/y', params: { auth: TOKEN } })}\n`;
const file = join(temporaryFolder(), 'cassette.yaml');

const withToken = (command: Command, value = TOKEN): Command => ({ ...command, env: { ANSWERS_TOKEN: value } });
const { command: node, args: server } = fixture('answers.js');
const verify = (...options: string[]) => mcpRecord('verify', ...options, file, '--', node, ...server);

describe('a cassette whose secret is that of a variable', () => {
  it('is recorded without it', async () => {
    await run(withToken(recorder(file, fixture('answers.js'))), ASK);
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
    expect(readFileSync(file, 'utf8')).toContain('[redacted:ANSWERS_TOKEN:1]');
  });

  it('is not verified with placeholders', async () => {
    const { stderr, status } = await run(verify());
    expect([stderr, status]).toEqual([
      expect.stringMatching(/ANSWERS_TOKEN.*\[SECRETS_MISSING\].*--secrets-from-env/s),
      2,
    ]);
    const unset = await run(verify('--secrets-from-env', 'ANSWERS_TOKEN'));
    expect([unset.stderr, unset.status]).toEqual([expect.stringContaining('not set: ANSWERS_TOKEN'), 2]);
  });

  it('gets no variable that was not given by name, though it is set', async () => {
    const { stderr, status } = await run(withToken(verify('--secrets-from-env', 'OTHER')));
    expect([stderr, status]).toEqual([expect.stringMatching(/SECRETS_MISSING.*OTHER,ANSWERS_TOKEN/s), 2]);
  });

  it('is verified, and replayed, with the variable', async () => {
    expect(await run(withToken(verify('--secrets-from-env', 'OTHER, ANSWERS_TOKEN')))).toMatchObject({ status: 0 });
    const replay = mcpRecord('replay', '--secrets-from-env', 'ANSWERS_TOKEN', file);
    const { stdout, status } = await run(withToken(replay), ASK);
    expect([JSON.parse(stdout.toString()).result, status]).toEqual([{ auth: TOKEN }, 0]);
  });

  it('stays without it when it is updated', async () => {
    const { command, args } = verify('--secrets-from-env', 'ANSWERS_TOKEN', '--update');
    const drifted = args.map((arg) => arg).concat('2000');
    await run(withToken({ command, args: drifted }));
    expect(readFileSync(file, 'utf8')).toMatch(/x{2000}/);
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
  });
});
