import { expect, it } from 'vitest';
import { substituteAddress } from '../../../src/sweep/client/server-address.ts';

const command = ['client', '{server}', '--server={url}'];

it('a client that starts its server is told the words of a command line', () => {
  expect(substituteAddress({ words: ['node', 'server.js'] }, command, { A: 'b' })).toEqual({
    command: ['client', 'node', 'server.js', '--server={url}'],
    env: { A: 'b', MCP_RECORD_SERVER: '["node","server.js"]' },
  });
});

it.each([
  [
    'has {url}, and this mock server is a command',
    { words: ['node'] },
    ['client', '--server={url}'],
    '{server}',
    'add --http',
  ],
  [
    'has {server}, and this mock server is at a URL',
    { url: 'http://127.0.0.1:1/mcp' },
    ['c', '{server}'],
    '{url}',
    'leave out --http',
  ],
])('a client that %s is an error that names the other placeholder', (why, at, words, next, option) => {
  expect(() => substituteAddress(at, words, {})).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        why: `it ${why}`,
        next: expect.stringMatching(new RegExp(`^Write ${next} in place of .* ${option} `)),
      }),
    }),
  );
});

it('a client that connects to its server is told its URL', () => {
  expect(substituteAddress({ url: 'http://127.0.0.1:1/mcp' }, command, { A: 'b' })).toEqual({
    command: ['client', '{server}', '--server=http://127.0.0.1:1/mcp'],
    env: { A: 'b', MCP_RECORD_URL: 'http://127.0.0.1:1/mcp' },
  });
});
