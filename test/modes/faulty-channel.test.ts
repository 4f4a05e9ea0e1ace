/** What a client in this process hears under each fault that has a meaning there: every frame, and how it ends. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { cut } from '../../src/adapters/faults.ts';
import type { Channel } from '../../src/channel/channel.ts';
import type { WireFrame } from '../../src/channel/frame.ts';
import { memoryPair } from '../../src/channel/memory-pair.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { type FaultRule, faultyChannel, parseFaultRuleList, type WrittenRule } from '../../src/modes/faulty-channel.ts';
import { openSession } from '../../src/modes/open-session.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { temporaryFolder } from '../support/cassette.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"progressToken":1}}}';
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"n":1}}';
const CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
const INITIALIZED = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}';
const DISCOVER = '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}';

const SAYS: Record<string, readonly string[]> = {
  [CALL]: [PROGRESS, ANSWER],
  [INITIALIZE]: [INITIALIZED],
  [DISCOVER]: [ANSWER],
};

const BOTH = ['PROGRESS', 'ANSWER'];
const answer = { method: 'tools/call' };

/** A rule, what is heard, and then what the client says, if it is not the call alone. */
const rows: readonly (readonly [rule: WrittenRule, heard: readonly string[], ...said: string[]])[] = [
  [{ do: 'latency', delay: 50 }, BOTH],
  [{ do: 'stall', when: answer }, ['PROGRESS']],
  [{ do: 'clog', for: 50 }, BOTH],
  [{ do: 'drop', when: answer }, ['PROGRESS']],
  [{ do: 'duplicate' }, ['PROGRESS', 'PROGRESS', 'ANSWER', 'ANSWER']],
  [{ do: 'reorder' }, ['ANSWER', 'PROGRESS']],
  [{ do: 'late' }, ['PROGRESS']],
  [{ do: 'oversize', bytes: 50, when: answer }, ['PROGRESS', `{${' '.repeat(50 - ANSWER.length)}${ANSWER.slice(1)}`]],
  [{ do: 'wrong-id' }, ['PROGRESS', ANSWER.replace(':1,', ':"mcp-record:unknown",')]],
  [{ do: 'patch', merge: { result: { n: 2 } }, when: answer }, ['PROGRESS', ANSWER.replace('"n":1', '"n":2')]],
  [
    { do: 'error-reply', message: 'no' },
    ['PROGRESS', '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}'],
  ],
  [{ do: 'end', when: answer }, ['PROGRESS', 'close', 'exit 0']],
  [{ do: 'cut', when: answer }, ['PROGRESS', 'close fin', 'exit SIGKILL']],
  [{ do: 'half-close', when: answer }, ['PROGRESS']],
  [{ do: 'version' }, [INITIALIZED.replace('2025-11-25', '1999-01-01')], INITIALIZE],
  [{ do: 'discover-timeout' }, [], DISCOVER],
  [{ do: 'ignore-cancel' }, BOTH, CALL, CANCEL],
  [{ do: 'progress', kind: 'storm', count: 2 }, ['PROGRESS', 'PROGRESS', 'ANSWER']],
];

/** What the server hears: one that lives answers all the same, and that of a cassette is silent then. */
const CANCELLED: typeof rows = [[{ do: 'cancel' }, BOTH]];

interface Started {
  channel: Channel;
  end(): unknown;
}

const file = join(temporaryFolder(), 'cassette.yaml');
const message = (from: 'client' | 'server', text: string): WireFrame => ({
  kind: 'message',
  at: 0,
  from,
  json: new JsonText(text),
});

function live(rules: readonly WrittenRule[], clock: ManualClock): Started {
  const [near, far] = memoryPair();
  const { channel, use, stop } = faultyChannel(far, { seed: 1, clock, failed() {} });
  use(parseFaultRuleList(rules, 'memory'));
  channel.listen((frame) => {
    const asked = frame.kind === 'message' ? frame.json.text : '';
    for (const text of SAYS[asked] ?? []) channel.send(message('server', text));
  });
  return { channel: near, end: stop };
}

async function replayed(rules: readonly WrittenRule[], clock: ManualClock): Promise<Started> {
  const exchanges = Object.entries(SAYS).map(
    ([asked, said]) => `- client: ${asked}\n${said.map((text) => `- server: ${text}\n`).join('')}`,
  );
  writeFileSync(file, `format: mcp-record/1\nevents:\n${exchanges.join('')}`);
  const session = await openSession({ cassette: file, mode: 'replay', faults: rules, clock, env: {} });
  return { channel: session.channel, end: () => session.finish({ passed: false }) };
}

/** All that a client hears when nothing moves any more, however long it waits. */
async function heard(start: typeof replayed | typeof live, rules: readonly WrittenRule[], said: readonly string[]) {
  const clock = new ManualClock();
  clock.endOfTurn = (task) => void setImmediate(task);
  const { channel, end } = await start(rules, clock);
  const all: string[] = [];
  channel.listen((frame) => {
    if (frame.kind === 'message') all.push(frame.json.text);
    else if (frame.kind === 'close') all.push(['close', frame.how].filter(Boolean).join(' '));
    else if (frame.kind === 'exit') all.push(`exit ${frame.status}`);
  });
  for (const text of said) channel.send(message('client', text));
  for (let turns = 0; turns < 100; turns++) {
    clock.advance(5);
    await turn();
  }
  await end();
  return all.map((text) => text.replace(PROGRESS, 'PROGRESS').replace(ANSWER, 'ANSWER'));
}

describe.each([
  ['live', live],
  ['replayed', replayed],
] as const)('of a %s server', (kind, start) => {
  const all = (kind === 'live' ? [...rows, ...CANCELLED] : rows).map(([rule, wanted, ...said]) => ({
    title: JSON.stringify(rule),
    rule,
    wanted,
    said: said.length > 0 ? said : [CALL],
  }));

  it.each(all)('$title is heard as it is', async ({ rule, wanted, said }) => {
    expect(await heard(start, [rule], said)).toEqual(wanted);
  });

  it.each([
    ['without a rule', []],
    [
      'with rules of which none fires',
      [
        { do: 'cut', when: { method: 'x/y' } },
        { do: 'drop', times: 0 },
      ],
    ],
  ])('all is heard %s', async (_, rules) => {
    expect(await heard(start, rules, [CALL])).toEqual(BOTH);
  });
});

it('every fault that has a meaning in this process is shown', () => {
  const shown = [...rows, ...CANCELLED].map(([rule]) => rule.do);
  const all = [...FAULTS.values()].filter(({ transports }) => transports.includes('memory')).map(({ name }) => name);
  expect([...new Set(shown)].sort()).toEqual(all.sort());
});

describe('a misspelt method', () => {
  const METHODS = 'format: mcp-record/1\nevents:\n- client: { jsonrpc: "2.0", id: 1, method: search }\n';
  const file = join(temporaryFolder(), 'cassette.yaml');
  const open = (faults: readonly FaultRule[]) => openSession({ cassette: file, mode: 'replay', faults });
  const all = (method: string): [form: string, rule: FaultRule][] => [
    ['a function', cut({ on: method })],
    ['a short text', `cut:${method}`],
    ['an object', { do: 'cut', when: { method } }],
  ];

  it.each(all('tool/call'))('is an error before the session starts, in %s', async (_, rule) => {
    writeFileSync(file, METHODS);
    await expect(open([rule])).rejects.toMatchObject({ code: 'FAULT_BAD_RULE', message: MISSPELT });
    await using session = await open([]);
    expect(() => session.misbehave([rule])).toThrow(expect.objectContaining({ message: MISSPELT }));
  });

  it.each(all('search'))('is none if the cassette has the method, in %s', async (_, rule) => {
    writeFileSync(file, METHODS);
    await using session = await open([rule]);
    expect(session.mode).toBe('replay');
  });

  const MISSPELT = expect.stringMatching(/rule 1.*MCP has no method "tool\/call".*Did you mean "tools\/call"\?/s);
});
