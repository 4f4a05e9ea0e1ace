import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadScenario } from '../../src/scenario/scenario-file.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = temporaryFolder();
const file = join(folder, 'scenario.yaml');

function load(text: string) {
  writeFileSync(file, text);
  return loadScenario(file);
}

const HEAD = 'cassette: cassettes/cassette.yaml\nplay: server\n';
const LEAST = `${HEAD}expect: [{ exit: 0 }]\n`;

it('a scenario is read, with what it leaves out', () => {
  expect(load(LEAST)).toEqual({
    file,
    cassette: join(folder, 'cassettes/cassette.yaml'),
    play: 'server',
    transport: 'stdio',
    timing: 'instant',
    seed: 0,
    faults: [],
    rules: [],
    deadline: 30_000,
    patience: 10_000,
    misses: 'fail',
    expect: [{ exit: 0, line: 3 }],
  });
});

it('what it says holds', () => {
  const scenario = load(
    `${HEAD}timing: 2x\nseed: 7\nfaults:\n- do: drop\nexpect:\n- call: ping\n  ends: succeeds\n- { fault: 1 }\n`,
  );
  expect(scenario).toMatchObject({
    timing: '2x',
    seed: 7,
    expect: [
      { call: 'ping', ends: 'succeeds', line: 8 },
      { fault: 1, line: 10 },
    ],
  });
  expect(scenario.rules.map(({ fault }) => fault.kind.name)).toEqual(['drop']);
});

it('has a point of a sweep in place of faults', () => {
  const scenario = load(
    `${HEAD}point: latency@2\nparams: { delay: 5 }\ntransport: http\npatience: 70\nexpect:\n- verdict: good\n`,
  );
  expect(scenario).toMatchObject({
    transport: 'http',
    point: { name: 'latency@2', params: { delay: 5 }, patience: 70 },
  });
  expect(scenario.expect).toEqual([{ verdict: 'good', line: 8 }]);
  expect(load(`${HEAD}point: cut@2\nexpect:\n- verdict: good\n`)).toMatchObject({
    transport: 'stdio',
    point: { name: 'cut@2' },
  });
  expect(load(LEAST).point).toBeUndefined();
});

describe('what is wrong in it has a place and the next step', () => {
  const expecting = (one: string) => `${HEAD}faults: [{ do: drop }]\nexpect:\n- ${one}\n`;
  it.each([
    ['no mapping', '- 1\n', 1, 'it is not a mapping'],
    ['a key that is none', `${HEAD}expct: []\n`, 3, 'Did you mean "expect"?'],
    ['no cassette', 'play: server\nexpect: []\n', 1, '"cassette" is missing'],
    ['no expectations', HEAD, 1, '"expect" is missing'],
    ['no side', 'cassette: a\nplay: both\nexpect: []\n', 2, 'It has to be client or server'],
    ['a seed below zero', `${LEAST}seed: -1\n`, 4, '"seed" is -1'],
    ['a timing that is none', `${LEAST}timing: fast\n`, 4, '"timing" is "fast"'],
    ['a deadline that is none', `${LEAST}deadline: 5s\n`, 4, 'It has to be milliseconds'],
    ['an unknown fault', `${LEAST}faults:\n- do: dorp\n`, 5, 'Did you mean "drop"?'],
    ['a fault of another transport', `${LEAST}faults:\n- do: reset\n`, 5, 'no meaning over stdio'],
    ['a fault of stdio over HTTP', `${LEAST}transport: http\nfaults:\n- do: stderr-flood\n`, 6, 'no meaning over http'],
    ['an end of a session over HTTP', `${HEAD}transport: http\nexpect:\n- session: server\n`, 5, 'over HTTP'],
    [
      'a server over HTTP without a point',
      'cassette: a\nplay: client\ntransport: http\nexpect:\n- call: ping\n  ends: succeeds\n',
      3,
      'mcp-record verify CASSETTE --http URL',
    ],
    ['an expectation of nothing', expecting('{}'), 5, 'Write one of: call, fault, session, verdict, exit'],
    ['a misspelt expectation', expecting('cal: ping'), 5, 'Did you mean "call"?'],
    ['an expectation of two things', expecting('{ call: ping, fault: 1 }'), 5, 'about call and fault'],
    ['a misspelt key of one', expecting('{ call: ping, end: fails }'), 5, 'Did you mean "ends"?'],
    ['a call that does not end', expecting('call: ping'), 5, '"ends" is missing'],
    ['an end that is none', expecting('{ call: ping, ends: fail }'), 5, '"ends" is "fail"'],
    ['a rule that is not there', expecting('fault: 2'), 5, 'the scenario has 1'],
    ['a time for what never ends', expecting('{ call: a, ends: never, within: 5 }'), 5, 'takes no time'],
    ['a code for what succeeds', expecting('{ call: a, ends: succeeds, code: 5 }'), 5, 'the code of an error'],
    ['a verdict without a point', expecting('verdict: good'), 5, 'there is no point'],
    [
      'a point with faults',
      `${HEAD}point: cut@1\nfaults: []\nexpect:\n- verdict: good\n`,
      4,
      '"faults" has no meaning',
    ],
    [
      'parameters without a point',
      `${HEAD}params: { delay: 5 }\nexpect: []\n`,
      3,
      'Leave "params" out, or add "point"',
    ],
    [
      'a point with misses',
      `${HEAD}point: cut@1\nmisses: fail\nexpect:\n- verdict: good\n`,
      4,
      'Leave "misses" out. An order fails with a request that the cassette does not have',
    ],
    ['no expectation at all', `${HEAD}expect: []\n`, 3, 'Write what has to hold, such as "- exit: 0"'],
    ['no expectation of a server', 'cassette: a\nplay: client\nexpect: []\n', 3, 'session: client, status: 0'],
    ['a point of which nothing is expected', `${HEAD}point: cut@1\nexpect: []\n`, 4, 'nothing is expected'],
    ['a point with another expectation', `${HEAD}point: cut@1\nexpect:\n- exit: 1\n`, 5, 'has a verdict alone'],
    ['a verdict that is bad', `${HEAD}point: cut@1\nexpect:\n- verdict: hung\n`, 5, '"verdict" is "hung"'],
    ['a status that is none', expecting('exit: 256'), 5, 'such as SIGKILL'],
  ])('%s', (_, text, line, message) => {
    expect(() => load(text)).toThrow(message);
    expect(() => load(text)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(`scenario.yaml:${line}:`) }),
    );
  });

  it('a client that exits, where the client is played', () => {
    const text = 'cassette: a\nplay: client\nexpect:\n- exit: 0\n';
    expect(() => load(text)).toThrow(/scenario\.yaml:4:3[\s\S]*session: server/);
  });

  it('broken YAML', () => {
    expect(() => load('play: [\n')).toThrow(/\[SCENARIO_UNREADABLE\][\s\S]*scenario\.yaml:/);
  });

  it('no file', () => {
    expect(() => loadScenario(join(folder, 'none.yaml'))).toThrow(/\[SCENARIO_UNREADABLE\]/);
  });
});

it('the example of the page can be read', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'scenarios.md'), 'utf8');
  const shown = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text]) => text!);
  const examples = shown.filter((text) => text.includes('cassette:'));
  expect(examples.length).toBeGreaterThan(1);
  for (const example of examples) expect(load(example).expect.length).toBeGreaterThan(0);
});

it('has no fault of a misspelt method, unless the cassette has the method', () => {
  const faults = (method: string) =>
    `${HEAD}faults:\n- do: drop\n  when: { method: ${method} }\nexpect: [{ exit: 0 }]\n`;
  mkdirSync(join(folder, 'cassettes'), { recursive: true });
  const cassette = 'format: mcp-record/1\nevents:\n- client: { jsonrpc: "2.0", id: 1, method: search }\n';
  writeFileSync(join(folder, 'cassettes/cassette.yaml'), cassette);
  onTestFinished(() => rmSync(join(folder, 'cassettes'), { recursive: true }));
  expect(() => load(faults('initialise'))).toThrow(
    /no method "initialise".*scenario\.yaml:5.*Did you mean "initialize"/s,
  );
  expect(load(faults('search')).rules[0]!.when).toEqual({ method: 'search' });
});
