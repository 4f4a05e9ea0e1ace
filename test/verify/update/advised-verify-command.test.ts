import { expect, it } from 'vitest';
import type { VerifyOptions } from '../../../src/adapters/test/verify-server.ts';
import { updateCommand } from '../../../src/verify/update/advised-verify-command.ts';

const inProcess = () => {};
const advice = (options: VerifyOptions, server: Parameters<typeof updateCommand>[0]['server'] = inProcess) =>
  updateCommand({ file: 'a.yaml', server, options });

it('is the bare command for a test without options', () => {
  expect(advice({})).toEqual(['npx mcp-record verify --update a.yaml -- COMMAND']);
});

it.each<[VerifyOptions, string]>([
  [{ ignore: ['/result/now'] }, '--ignore /result/now'],
  [{ ignore: ["/result/it's/*"] }, `--ignore '/result/it'\\''s/*'`],
  [{ ignore: [/\d{4}-\d\d/g] }, `--ignore-pattern '\\d{4}-\\d\\d'`],
  [{ ignore: [/utc$/im] }, `--ignore-pattern '(?im)utc$'`],
  [{ strict: true }, '--strict'],
  [{ timing: 'recorded' }, '--timing recorded'],
  [{ timing: { factor: 0.5 } }, '--timing 0.5x'],
  [{ timing: { cap: 200 } }, '--timing 200ms'],
  [{ patience: 500 }, '--timeout 500'],
  [{ timeMax: 90.5 }, '--max-time 91'],
  [{ slower: 1.5 }, '--slower 1.5x'],
])('has the options of the test: %j', (options, words) => {
  expect(advice(options)).toEqual([`npx mcp-record verify --update ${words} a.yaml -- COMMAND`]);
});

it('has the form for a URL, with the names of the headers only', () => {
  const url = { url: 'https://example.com/mcp', headers: { authorization: 'Bearer secret' } };
  expect(advice({ otherRequests: true }, url)).toEqual([
    "npx mcp-record verify --update --other-requests --header 'authorization: …' --http URL a.yaml",
  ]);
});

it('says what a command line cannot carry', () => {
  const [command, ...notes] = advice(
    { ignore: [(message) => message, '/result/now'] },
    { command: 'node', env: { API_KEY: 'secret' } },
  );
  expect(command).toBe('npx mcp-record verify --update --ignore /result/now a.yaml -- COMMAND');
  expect(notes).toEqual([
    expect.stringMatching(/^It cannot carry the function in "ignore"/),
    "Set the variables of the test's server for it: API_KEY.",
  ]);
});
