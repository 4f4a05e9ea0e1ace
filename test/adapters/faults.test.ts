import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { beforeAll, describe, expect, it } from 'vitest';
import * as faults from '../../src/adapters/faults.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';
import { parseFaultRules } from '../../src/faults/rules/parse-fault-rules.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';

const { corrupt, cut, drop, faultFunction, latency, stall } = faults;
const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
beforeAll(() => recordSession(cassette));

const written = (rule: object) => parseFaultRules({ faults: [rule] }, { name: 'a test', transport: 'stdio' }).rules[0];

it('there is a function for each fault of the table', () => {
  const functions: Record<string, unknown> = { ...faults };
  const camel = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  for (const name of FAULTS.keys()) expect([name, typeof functions[camel(name)]]).toEqual([name, 'function']);
});

describe('a function makes the rule that YAML makes', () => {
  it.each([
    [drop(), { do: 'drop' }],
    [cut({ on: 'tools/call', nth: 2 }), { do: 'cut', when: { method: 'tools/call', nth: 2 } }],
    [
      latency({ delay: 50, jitter: 5, times: 1, probability: 0.5, when: { kind: 'response' } }),
      { do: 'latency', delay: 50, jitter: 5, times: 1, probability: 0.5, when: { kind: 'response' } },
    ],
    [stall({ for: Number.POSITIVE_INFINITY }), { do: 'stall', for: 'forever' }],
    [
      corrupt({ kind: 'bad-json', on: 'ping', when: { from: 'client' } }),
      { do: 'corrupt', kind: 'bad-json', when: { from: 'client', method: 'ping' } },
    ],
  ])('%#', (rule, yaml) => expect(rule).toEqual(written(yaml)));

  it('for every fault, with all its parameters left out that may be', () => {
    for (const [name, kind] of FAULTS) {
      if (Object.values(kind.params).some((param) => !('fallback' in param))) continue;
      // A patch needs a change.
      if (!kind.transports.includes('stdio') || name === 'patch') continue;
      expect(faultFunction(kind)({ nth: 3 })).toEqual(written({ do: name, when: { nth: 3 } }));
    }
  });
});

describe('what is wrong is refused, by the compiler and at run time', () => {
  const wrong: [what: string, make: () => unknown, message: RegExp][] = [
    // @ts-expect-error: a delay has to be given
    ['a missing parameter', () => latency({}), /"delay" is missing/],
    // @ts-expect-error: no options are no delay either
    ['no parameters', () => latency(), /"delay" is missing/],
    // @ts-expect-error: a delay is a number
    ['a parameter of another type', () => latency({ delay: '50' }), /"delay" is "50"/],
    // @ts-expect-error: misspelt
    ['a parameter that is none', () => latency({ delay: 5, jiter: 1 }), /"jiter" here.*\n.*"jitter"/s],
    // @ts-expect-error: of another fault
    ['a parameter of another fault', () => drop({ delay: 5 }), /nothing is called "delay"/],
    // @ts-expect-error: not one of the words
    ['an unknown word', () => corrupt({ kind: 'badly' }), /"kind" is "badly"/],
    // @ts-expect-error: not one of the kinds
    ['a wrong selector', () => drop({ when: { kind: 'answer' } }), /"kind" is "answer"/],
    // @ts-expect-error: no such selector
    ['a selector that is none', () => drop({ when: { metod: 'ping' } }), /"metod" here.*\n.*"method"/s],
    // @ts-expect-error: a position is a number
    ['a position that is none', () => drop({ nth: 'second' }), /"nth" is "second"/],
    ['a position that is before the first', () => drop({ nth: 0 }), /"nth" is 0/],
    ['a number below zero', () => latency({ delay: -1 }), /"delay" is -1/],
    ['a probability above 1', () => drop({ probability: 2 }), /"probability" is not from 0 to 1/],
  ];
  it.each(wrong)('%s', (_, make, message) => {
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: 'FAULT_BAD_RULE' }));
  });
});

describe('in a session', () => {
  async function weather(rule: faults.Rule): Promise<unknown> {
    const mcp = openMcp({ file: join(folder, 'a.test.js'), names: ['weather'] });
    const { transport } = await mcp.server(cassette);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport as Transport);
    mcp.faults([rule]);
    const answer = client.callTool({ name: 'weather', arguments: { city: 'Oslo' } }).catch(String);
    const result = await answer;
    await client.close();
    // The fault may be a failure of the test, too.
    await mcp.finish({ passed: false }).catch(() => {});
    return result;
  }

  it('a fault of the table happens', async () => {
    expect(await weather(cut({ on: 'tools/call' }))).toContain('Connection closed');
  });

  it('a fault of one’s own happens', async () => {
    const refuse = faultFunction(
      faults.defineFault({
        name: 'refuse',
        doc: 'The request does not arrive, and is answered with an error.',
        transports: ['memory'],
        params: { code: faults.withDefault(faults.count('the error code'), 7) },
        when: { from: 'client', kind: 'request' },
        start: ({ code }, { back, clock }) => ({
          hit(frame) {
            if (frame.kind !== 'message') return;
            const { id } = frame.json.value as { id: number };
            const error = { jsonrpc: '2.0', id, error: { code, message: 'Refused' } };
            back({
              kind: 'message',
              at: clock.now(),
              from: 'server',
              json: new JsonText(JSON.stringify(error)),
            });
          },
        }),
      }),
    );
    expect(await weather(refuse({ on: 'tools/call', code: 9 }))).toBe('McpError: MCP error 9: Refused');
    // @ts-expect-error: no such parameter
    expect(() => refuse({ kode: 9 })).toThrow(/Did you mean "code"/);
  });
});
