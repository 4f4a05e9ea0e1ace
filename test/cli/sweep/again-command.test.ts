import { expect, it } from 'vitest';
import { againCommand, programWords } from '../../../src/cli/sweep/again-command.ts';

const none = { server: true, point: [], ignore: [], ignorePattern: [], header: [] };

it('the command names all that the point depends on, in words of a shell', () => {
  const again = {
    file: 'my tape.yaml',
    point: "wrong-type@it's",
    seed: 7,
    words: ['node', 'a b.js'],
    options: { ...none, inputs: true },
  };
  expect(againCommand(again)).toBe(
    "mcp-record sweep --server --inputs --seed 7 --point 'wrong-type@it'\\''s' 'my tape.yaml' -- node 'a b.js'",
  );
});

it('the command has the options of the sweep, and no value of a header', () => {
  const options = {
    ...none,
    http: true,
    inputs: true,
    destructive: true,
    deadline: '500',
    header: ['Authorization: Bearer secret'],
  };
  const line = againCommand({ file: 'a.yaml', point: 'p@t', seed: 1, words: ['http://127.0.0.1:1/mcp'], options });
  expect(line).toContain('--http --inputs --destructive --seed 1 --point p@t --deadline 500');
  expect(line).toContain("--header 'Authorization: …' a.yaml http://127.0.0.1:1/mcp");
  expect(line).not.toContain('secret');
});

it('the command has the parameters of a fault of a client', () => {
  const options = { ...none, server: false, faults: 'latency:delay=3000,junk' };
  const line = againCommand({ file: 'a.yaml', point: 'latency@2+junk@3', words: ['node', 'c.js'], options });
  expect(line).toBe('mcp-record sweep --point latency@2+junk@3 --faults latency:delay=3000,junk a.yaml -- node c.js');
});

it('the command begins as the program was started', () => {
  expect(programWords({})).toEqual(['mcp-record']);
  expect(programWords({ npm_lifecycle_event: 'npx', npm_lifecycle_script: 'vitest run' })).toEqual(['mcp-record']);
  const npx = { npm_lifecycle_event: 'npx', npm_lifecycle_script: 'mcp-record sweep a.yaml' };
  expect(programWords(npx)).toEqual(['npx', 'mcp-record']);
});
