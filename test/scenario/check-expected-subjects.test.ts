import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { McpRecordError } from '../../src/kernel/errors.ts';
import { checkExpectedSubjects } from '../../src/scenario/check-expected-subjects.ts';
import { readScenario } from '../../src/scenario/scenario-reader.ts';

const LIST = `- client: { id: 1, method: tools/list }
- server: { id: 1, result: { tools: [{ name: weather }, { name: delete_all }] } }
`;
const CALLS = `- client: { id: 2, method: tools/call, params: { name: weather } }
- server: { id: 2, result: {} }
- client: { id: 3, method: acme/search, params: { name: x } }
- server: { id: 3, result: {} }
- client: { id: 4, method: resources/read, params: { uri: 'file:///a.txt' } }
- server: { id: 4, result: {} }
`;

/** Returns the problem of an expectation, as it is printed. */
function problemOf(one: object, faults: readonly object[] = [], tape = LIST + CALLS): string | undefined {
  const written = { cassette: 'a.yaml', play: 'server', faults, expect: [one] };
  const scenario = readScenario(written, { file: 'cut.yaml', placeOf: () => ({ file: 'cut.yaml', line: 7 }) });
  const { events } = parseCassette(`format: mcp-record/1\nevents:\n${tape}`, 'a.yaml');
  try {
    checkExpectedSubjects(scenario, events);
  } catch (error) {
    return error instanceof McpRecordError ? error.message : 'another error';
  }
  return undefined;
}

describe('an expectation that nothing can break', () => {
  it.each([
    [{ call: 'tools/cal', ends: 'never' }, 'MCP has no such method', 'Did you mean "tools/call"?'],
    [{ call: 'tools/cal', ends: 'succeeds' }, 'MCP has no such method', 'Did you mean "tools/call"?'],
    [{ call: 'delete', ends: 'never' }, 'MCP has no such method', 'Give a method of MCP'],
    [{ call: 'notifications/cancelled', ends: 'never' }, 'it is the method of a notification', 'tools/call'],
    [{ call: 'acme/serch', ends: 'never' }, 'neither MCP nor the cassette has this method', 'mean "acme/search"?'],
    [{ call: 'other/zzzzzzzz', ends: 'never' }, 'neither MCP nor the cassette', 'Name a method of MCP or'],
    [{ call: 'tools/call', name: 'wether', ends: 'never' }, 'no tools/call of "wether"', 'Did you mean "weather"?'],
    [{ call: 'tools/call', name: 'qq', ends: 'never' }, 'no list with it', 'There are weather, delete_all.'],
    [{ call: 'ping', name: 'a', ends: 'never' }, 'requests of ping have no name', 'Leave "name" out'],
    [{ call: 'resources/read', name: 'file:///b.txt', ends: 'never' }, 'no resources/read of', 'file:///a.txt'],
  ])('%j', (one, why, next) => {
    const text = problemOf(one);
    expect(text).toContain('cut.yaml:7');
    expect(text).toContain('[SCENARIO_BAD]');
    expect(text).toContain(why);
    expect(text).toContain(next);
  });

  it('is one about a fault of a tool that nothing has', () => {
    const faults = [{ do: 'drop', when: { tool: 'wether' } }];
    expect(problemOf({ fault: 1, fires: 0 }, faults)).toMatch(/fault 1 can never fire: .*"wether"[\s\S]*"weather"\?/);
    expect(problemOf({ fault: 1, fires: 0 }, [{ do: 'drop', when: { tool: 'weather' } }])).toBeUndefined();
    expect(problemOf({ fault: 1, fires: 1 }, faults)).toBeUndefined();
  });
});

describe('an expectation that a program can break', () => {
  it.each([
    { call: 'prompts/get', ends: 'never' },
    { call: 'acme/search', ends: 'never' },
    { call: 'acme/search', name: 'other', ends: 'never' },
    { call: 'acme/other', ends: 'fails' },
    { call: 'tools/call', name: 'delete_all', ends: 'never' },
    { call: 'tools/call', name: 'weather', nth: 3, ends: 'never' },
    { call: 'tools/call', name: 'qq', ends: 'succeeds' },
    { call: 'resources/read', name: 'https://example.com/', ends: 'never' },
    { exit: 1 },
  ])('%j', (one) => expect(problemOf(one)).toBeUndefined());

  it('may be about a tool that no list names, where the cassette has no list', () => {
    expect(problemOf({ call: 'tools/call', name: 'delete_all', ends: 'never' }, [], CALLS)).toBeUndefined();
    expect(problemOf({ call: 'tools/call', name: 'wether', ends: 'never' }, [], CALLS)).toContain('mean "weather"?');
  });

  it('may be about what a fault brings about', () => {
    const patch = { do: 'patch', when: { method: 'tools/list' }, merge: { result: { tools: [{ name: 'evil' }] } } };
    expect(problemOf({ call: 'tools/call', name: 'evil', ends: 'never' }, [patch])).toBeUndefined();
    expect(problemOf({ call: 'acme/evil', ends: 'never' }, [{ do: 'drop', when: { method: 'acme/evil' } }])).toBe(
      undefined,
    );
  });
});
