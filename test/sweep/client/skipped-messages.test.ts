import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { type Command, mcpRecord } from '../../support/command.ts';
import { fixture, run } from '../../support/process.ts';
import { PATIENT } from './sweeps.ts';

const newFile = freeNames(temporaryFolder());
const file = (text: string) => {
  const path = newFile();
  writeFileSync(path, text);
  return path;
};
const HEAD = `format: mcp-record/1
events:
- client: { id: 0, method: initialize, params: {} }
- server: { id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: s, version: "1" } } }
- client: { method: notifications/initialized }
- client: { id: 1, method: tools/list }
- server: { id: 1, result: { tools: [] } }
`;
const call = (id: number, name: string, args = '') =>
  `- client: { id: ${id}, method: tools/call, params: { name: ${name}${args} } }
- server: { id: ${id}, result: { content: [] } }
`;
/** Neither client lists the tools: the answer to its first call is its second message, and the third of the cassette. */
const overStdio = file(HEAD + call(2, 'weather', ', arguments: { city: Oslo }') + call(3, 'never'));
const overHttp = file(HEAD + call(2, 'one') + call(3, 'never') + call(4, 'two'));

interface Swept {
  results: { point: { name: string; title: string }; verdict: string }[];
  leftOut?: { title: string }[];
}

const sweep = async (options: readonly string[], cassette: string, { command, args }: Command) => {
  const { stdout } = await run(mcpRecord('sweep', ...options, ...PATIENT, '--json', cassette, '--', command, ...args));
  const { results, leftOut = [] } = JSON.parse(stdout.toString()) as Swept;
  return {
    results: results.map(({ point, verdict }) => `${point.name} ${point.title}: ${verdict}`),
    leftOut: leftOut.map(({ title }) => title),
  };
};

describe('a point is a message of the cassette, whatever the client leaves out', () => {
  it('over stdio', async () => {
    const client = fixture('swept.js', 'fails', '{server}');
    expect(await sweep(['--faults', 'error-reply'], overStdio, client)).toEqual({
      results: [
        'error-reply@1 answer to initialize: reported',
        'error-reply@3 answer to tools/call "weather": reported',
      ],
      leftOut: ['answer to tools/list', 'answer to tools/call "never"'],
    });
  });

  it('over HTTP', async () => {
    const goesOn = fixture('loses-answers.js', 'goes-on', '{url}');
    expect(await sweep(['--http', '--faults', 'drop'], overHttp, goesOn)).toEqual({
      results: [
        'drop@1 answer to initialize: crashed',
        'drop@3 answer to tools/call "one": lied',
        'drop@5 answer to tools/call "two": lied',
      ],
      leftOut: ['answer to tools/list', 'answer to tools/call "never"'],
    });
  });

  it('in a pair, too', async () => {
    const client = fixture('swept.js', 'fails', '{server}');
    const { results } = await sweep(['--point', 'duplicate@1+error-reply@3'], overStdio, client);
    expect(results).toEqual([
      'duplicate@1+error-reply@3 answer to initialize, then answer to tools/call "weather": reported',
    ]);
  });
});

it('a message that comes again has its fault once', async () => {
  const client = fixture('loses-answers.js', 'asks-again', '{url}');
  expect((await sweep(['--http', '--faults', 'drop'], overHttp, client)).results).toEqual([
    'drop@1 answer to initialize: passed',
    'drop@3 answer to tools/call "one": passed',
    'drop@5 answer to tools/call "two": passed',
  ]);
});
