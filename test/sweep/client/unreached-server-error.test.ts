import { describe, expect, it } from 'vitest';
import { unreachedServerError } from '../../../src/sweep/client/unreached-server-error.ts';

const ended = { status: 1, signal: undefined, stderr: '', timedOut: false };
const stdio = { words: ['node', 'replay'] };

describe('a command that never reached the mock server', () => {
  it('is told where to write the word that it lacks', () => {
    const { message } = unreachedServerError({ subcommand: 'sweep', command: ['node', 'client.js'], at: stdio, ended });
    expect(message).toContain('Cannot sweep node client.js: it ended with 1 and did not start the mock server');
    expect(message).toContain('there is no {server} in it');
    expect(message).toContain('[SERVER_NOT_REACHED]');
    expect(message).toContain('Write {server} where the command line of its server belongs');
  });

  it('is told over HTTP of the URL, and what it said last', () => {
    const at = { url: 'http://127.0.0.1:1/mcp' };
    const { message } = unreachedServerError({
      subcommand: 'run',
      command: ['node', 'client.js', '{url}'],
      at,
      ended: { ...ended, status: undefined, signal: 'SIGSEGV', stderr: `first\n${'more\n'.repeat(8)}` } as never,
    });
    expect(message).toContain('it ended with SIGSEGV and did not connect to the mock server:');
    expect(message).not.toContain('first');
    expect(message).toContain('See that it gets so far as to connect to the mock server.');
  });

  it('that was not done at its deadline is told so', () => {
    const late = { ...ended, timedOut: true };
    const { message } = unreachedServerError({ subcommand: 'run', command: ['x', '{server}'], at: stdio, ended: late });
    expect(message).toContain('was not done at its deadline');
  });
});
