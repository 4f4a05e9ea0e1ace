import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { type Evidence, judge, notesOn } from '../../src/scenario/scenario-judge.ts';
import { readScenario } from '../../src/scenario/scenario-reader.ts';

const TAPE = `format: mcp-record/1
events:
- client: { id: 1, method: tools/call, params: { name: add } }
- server: { id: 1, result: {} }
  after: 40
- client: { id: 2, method: tools/call, params: { name: add } }
- server: { id: 2, error: { code: -32000, message: no } }
- client: { id: 3, method: tools/call, params: { name: sub } }
- close: server
- exit: SIGKILL
`;

function judged(one: object, seen: Partial<Evidence> = {}, more: object = {}) {
  const placeOf = () => ({ file: 'a.yaml', line: 9 });
  const written = {
    cassette: 'cassette.yaml',
    play: 'server',
    faults: [{ do: 'drop' }],
    expect: [one],
    ...more,
  };
  const evidence: Evidence = {
    cassettes: [parseCassette(TAPE, 'cassette.yaml').events],
    fired: [1, 1],
    misses: [],
    exit: 3,
    duration: 500,
    timedOut: false,
    ...seen,
  };
  const steps = judge(readScenario(written, { file: 'a.yaml', placeOf }), evidence);
  return steps.map(({ title, headline }) => (headline === undefined ? title : `${title}: ${headline}`));
}

describe('it holds that', () => {
  it.each([
    [{ call: 'tools/call', nth: 1, ends: 'succeeds', within: 40 }, 'tools/call #1 succeeds within 40 ms'],
    [{ call: 'tools/call', nth: 2, ends: 'fails', code: -32000 }, 'tools/call #2 fails with -32000'],
    [{ call: 'tools/call', name: 'sub', ends: 'unanswered' }, 'tools/call "sub" is never answered'],
    [{ call: 'tools/call', name: 'mul', ends: 'never' }, 'tools/call "mul" is never called'],
    [{ call: 'tools/call', nth: 4, ends: 'never' }, 'tools/call #4 is never called'],
    [{ fault: 1 }, 'fault 1 (drop) fires'],
    [{ fault: 1, fires: 2 }, 'fault 1 (drop) fires 2 times'],
    [{ session: 'server', status: 'SIGKILL' }, 'the server ends the session, the server with SIGKILL'],
    [{ session: 'server', status: 137 }, 'the server ends the session, the server with 137'],
    [{ exit: 3, within: 500 }, 'the command exits with 3 within 500 ms'],
  ])('%j', (one, title) => expect(judged(one)).toEqual([title]));
});

describe('it is wrong that', () => {
  it.each([
    [{ call: 'tools/call', ends: 'succeeds' }, 'it fails (-32000: no)'],
    [{ call: 'tools/call', nth: 1, ends: 'succeeds', within: 39 }, 'it took 40 ms'],
    [{ call: 'tools/call', nth: 1, ends: 'cancelled' }, 'it succeeds'],
    [{ call: 'tools/call', nth: 2, ends: 'fails', code: 1 }, 'it fails (-32000: no)'],
    [{ call: 'tools/call', nth: 4, ends: 'succeeds' }, 'it was called 3 times'],
    [{ call: 'tools/call', name: 'mul', ends: 'fails' }, 'this call was never made'],
    [{ call: 'tools/call', ends: 'never' }, 'it was called 3 times'],
    [{ fault: 1, fires: 0 }, 'it fired 2 times'],
    [{ session: 'client' }, 'the server ended it'],
    [{ session: 'server', status: 0 }, 'the server exited with SIGKILL'],
    [{ exit: 0 }, 'it ended with 3'],
    [{ exit: 3, within: 499 }, 'it took 500 ms'],
  ])('%j', (one, headline) => expect(judged(one)[0]).toMatch(new RegExp(`: ${headline.replaceAll(/[()]/g, '\\$&')}$`)));

  describe('a call ended as the recording answers it, which no client can change', () => {
    const recorded = (events: string) => parseCassette(`format: mcp-record/1\nevents:\n${events}`, 'cassette.yaml');
    const call = '- client: { id: 1, method: tools/call, params: { name: add } }\n';
    const refusal = `${call}- server: { id: 1, result: { content: [], isError: true } }\n`;
    const error = `${call}- server: { id: 1, error: { code: 5, message: no } }\n`;
    const success = `${call}- server: { id: 1, result: { content: [] } }\n`;
    const none = { faults: [] };
    const headline = (live: string, played: string, ends: string, more: object = none) => {
      const evidence = { cassettes: [recorded(live).events], played: recorded(played), fired: [] };
      return judged({ call: 'tools/call', ends }, evidence, more)[0];
    };
    it.each([
      ['a result with isError', refusal, 'succeeds', 'it fails', 'fails'],
      ['a JSON-RPC error', error, 'succeeds', 'it fails (5: no)', 'fails'],
      ['a result', success, 'fails', 'it succeeds', 'succeeds'],
    ])('%s', (_, session, ends, what, advised) => {
      const advice = `${what}: the recording answers it that way (cassette.yaml:4). Expect "ends: ${advised}"`;
      expect(headline(session, session, ends)).toBe(`tools/call ${ends}: ${advice}`);
    });

    it.each([
      ['another answer than the recorded one', headline(error, success, 'succeeds'), 'succeeds: it fails (5: no)'],
      ['another error', headline(error, refusal, 'succeeds'), 'succeeds: it fails (5: no)'],
      ['a client that should have given up', headline(success, success, 'cancelled'), 'is cancelled: it succeeds'],
      ['a fault that should have failed it', headline(success, success, 'fails', {}), 'fails: it succeeds'],
    ])('not %s', (_, text, expected) => expect(text).toBe(`tools/call ${expected}`));
  });

  it('a fault fired that did not', () => {
    expect(judged({ fault: 1 }, { fired: [] })).toEqual(['fault 1 (drop) fires: it never fired']);
  });

  it('a session ended that nobody ended', () => {
    expect(judged({ session: 'client' }, { cassettes: [[]] })).toEqual([
      'the client ends the session: nobody ended it',
    ]);
  });
});

it('what nobody may do fails without being expected', () => {
  const misses = ['Cannot answer ping. Closest:\n  why'];
  const seen = { misses, timedOut: true, exit: undefined };
  const rest = [
    'the deadline: the command had not ended after 30000 ms. If it needs longer, set a longer "deadline" in the scenario',
  ];
  expect(judged({ fault: 1 }, seen)).toEqual([
    'fault 1 (drop) fires',
    ...rest,
    'every request is in the cassette: Cannot answer ping.',
  ]);
  expect(judged({ fault: 1 }, seen, { misses: 'report' })).toEqual(['fault 1 (drop) fires', ...rest]);
});

it('a command that does not end is one failure: of its exit status, or else of the deadline', () => {
  const late = { timedOut: true, exit: undefined };
  const text = 'the command had not ended after 30000 ms. If it needs longer, set a longer "deadline" in the scenario';
  expect(judged({ exit: 0 }, late)).toEqual([`the command exits with 0: ${text}`]);
  expect(judged({ exit: 0, within: 500 }, late)).toEqual([`the command exits with 0 within 500 ms: ${text}`]);
  expect(judged({ session: 'server' }, late)).toEqual(['the server ends the session', `the deadline: ${text}`]);
});

describe('the verdict of a point', () => {
  const written = { cassette: 'cassette.yaml', play: 'server', point: 'stall@3', expect: [{ verdict: 'good' }] };
  const scenario = readScenario(written, { file: 'a.yaml', placeOf: () => ({ file: 'a.yaml', line: 9 }) });
  const NOTHING: Evidence = { cassettes: [], fired: [], misses: [], exit: undefined, duration: 5, timedOut: false };
  const HUNG = { title: 'answer to ping', verdict: 'hung', isBad: true };

  it.each([
    ['holds if it is good', { ...HUNG, verdict: 'reported', isBad: false }, 'passed', undefined],
    ['is wrong if it is bad', HUNG, 'failed', 'hung'],
    ['is wrong with its reason', { ...HUNG, why: 'it waits' }, 'failed', 'hung: it waits'],
    ['is wrong if no point was played', undefined, 'failed', 'no point was played'],
  ])('%s', (_, point, status, headline) => {
    const [step, ...more] = judge(scenario, { ...NOTHING, ...(point && { point }) });
    expect(more).toEqual([]);
    expect([step?.status, step?.headline]).toEqual([status, headline]);
  });
});

describe('a client that ended with an error', () => {
  const EVIDENCE: Evidence = { cassettes: [], fired: [], misses: [], exit: 1, duration: 5, timedOut: false };
  const notes = (seen: Partial<Evidence>, expected: object = { fault: 1 }, play = 'server') => {
    const written = { cassette: 'a.yaml', play, faults: [{ do: 'drop' }], expect: [expected] };
    const scenario = readScenario(written, { file: 'a.yaml', placeOf: () => ({ file: 'a.yaml', line: 9 }) });
    return notesOn(scenario, { ...EVIDENCE, ...seen });
  };

  it.each([1, 'SIGSEGV'])('is noted where nothing is expected of its end: %s', (exit) => {
    expect(notes({ exit })).toEqual([
      `the command ended with ${exit}, and nothing is expected of its end. To check it, expect { exit: ${exit} } or { exit: 0 }`,
    ]);
  });

  it('is not noted where its end is expected, or is that of a played client, or where it ended well or late', () => {
    expect(notes({}, { exit: 0 })).toEqual([]);
    expect(notes({}, { session: 'client' }, 'client')).toEqual([]);
    expect(notes({ exit: 0 })).toEqual([]);
    expect(notes({ exit: undefined, timedOut: true })).toEqual([]);
  });
});

describe('a scenario that expects nothing of calls', () => {
  const UNUSED = { unused: ['tools/call "add" (a.yaml:7)'] };
  const noFaults = { faults: [] };

  it('fails if the client left one out, whatever its exit status', () => {
    expect(judged({ exit: 3 }, UNUSED, noFaults)).toEqual([
      'the command exits with 3',
      'every recorded message is sent: the client never sent tools/call "add" (a.yaml:7)',
    ]);
    expect(judged({ exit: 3 }, {}, noFaults)).toEqual(['the command exits with 3']);
  });

  it.each([
    ['an expectation about a call says which are required', { call: 'initialize', ends: 'succeeds' }, noFaults],
    ['a fault may keep the client from it', { exit: 3 }, {}],
    ['a played client makes its calls', { session: 'server' }, { ...noFaults, play: 'client' }],
  ])('passes where %s', (_, one, more) => expect(judged(one, UNUSED, more)).toHaveLength(1));

  it('has a failure of its own alone, since another one explains it', () => {
    expect(judged({ exit: 0 }, UNUSED, noFaults)).toEqual(['the command exits with 0: it ended with 3']);
  });

  it('notes that any answer of a server passes', () => {
    const notes = (expected: object, more: object = {}) => {
      const written = { cassette: 'a.yaml', play: 'client', expect: [expected], ...more };
      const scenario = readScenario(written, { file: 'a.yaml', placeOf: () => ({ file: 'a.yaml', line: 9 }) });
      return notesOn(scenario, { cassettes: [], fired: [], misses: [], exit: 0, duration: 5, timedOut: false });
    };
    expect(notes({ session: 'client' })).toEqual([expect.stringContaining('so any answer passes')]);
    expect(notes({ call: 'tools/call', ends: 'succeeds' })).toEqual([]);
    expect(notes({ session: 'client' }, { faults: [{ do: 'drop', when: { from: 'client' } }] })).toEqual([]);
  });
});

it('the first failure has the last lines of standard error', () => {
  const placeOf = () => ({ file: 'a.yaml', line: 9 });
  const written = { cassette: 'a.yaml', play: 'server', expect: [{ exit: 3 }, { exit: 0 }, { exit: 1 }] };
  const scenario = readScenario(written, { file: 'a.yaml', placeOf });
  const evidence = {
    cassettes: [],
    fired: [],
    misses: [],
    exit: 3,
    duration: 5,
    timedOut: false,
    stderr: ['Error: no'],
  };
  const details = judge(scenario, evidence).map((step) => step.details);
  expect(details).toEqual([undefined, ['standard error:', '  Error: no'], undefined]);
});

it('a client that fails without the fault of a point, too, does not pass: the fault is not tested', () => {
  const written = { cassette: 'a.yaml', play: 'server', point: 'stall@3', expect: [{ verdict: 'good' }] };
  const scenario = readScenario(written, { file: 'a.yaml', placeOf: () => ({ file: 'a.yaml', line: 9 }) });
  const evidence = { cassettes: [], fired: [], misses: [], exit: undefined, duration: 5, timedOut: false };
  const reported = { title: 'x', verdict: 'reported', isBad: false };
  const judged = (point: NonNullable<Evidence['point']>) => judge(scenario, { ...evidence, point })[0];
  expect(judged({ ...reported, withoutFaults: 'it ended with 1. Cannot answer "save".\n  Closest: …' })).toMatchObject({
    status: 'failed',
    headline: 'the fault is not tested, since the client fails without it, too: it ended with 1. Cannot answer "save".',
    details: [expect.stringMatching(/^The cassette lacks .* the first comment of shrink has both$/)],
  });
  // It ends well without the fault.
  expect(judged(reported)?.status).toBe('passed');
});

describe('a client that fails in any case passes', () => {
  const notes = (fields: object, seen: Partial<Evidence> = {}) => {
    const written = { cassette: 'a.yaml', play: 'server', ...fields };
    const scenario = readScenario(written, { file: 'a.yaml', placeOf: () => ({ file: 'a.yaml', line: 9 }) });
    return notesOn(scenario, { cassettes: [], fired: [1], misses: [], exit: 1, duration: 5, timedOut: false, ...seen });
  };
  const faults = [{ do: 'drop' }];
  const point = { point: 'stall@3', expect: [{ verdict: 'good' }] };
  const reported = (verdict: string) => ({ point: { title: 'x', verdict, isBad: false } });

  it('where nothing but an error is expected, which is noted with the next step', () => {
    expect(notes({ faults, expect: [{ exit: 1 }] })).toEqual([
      expect.stringMatching(/^a client that always fails passes, too.*mcp-record run PLAIN\.yaml -- COMMAND$/),
    ]);
  });

  it('and where one that is mended fails at a point, too, which is said with the requests that have no answer', () => {
    const scenario = readScenario(
      { cassette: 'a.yaml', play: 'server', ...point },
      { file: 'a.yaml', placeOf: () => ({ file: 'a.yaml', line: 9 }) },
    );
    const evidence = { cassettes: [], fired: [], misses: [], exit: undefined, duration: 5, timedOut: false };
    const failed = { title: 'x', verdict: 'failed', isBad: true, why: 'it ended with 1' };
    const detailsOf = (more: object) => judge(scenario, { ...evidence, point: { ...failed, ...more } })[0]?.details;
    expect(detailsOf({})).toBeUndefined();
    expect(detailsOf({ withoutFaults: 'it ended with 1', unserved: ['Cannot answer "save".'] })).toEqual([
      expect.stringMatching(
        /^without the fault, or in the recorded order, it fails, too \(it ended with 1\)\. The cassette lacks/,
      ),
      'the cassette does not answer:',
      '  Cannot answer "save".',
    ]);
    // What standard error says already is not said again.
    const unserved = ['Cannot answer "save".'];
    expect(judge(scenario, { ...evidence, stderr: unserved, point: { ...failed, unserved } })[0]?.details).toEqual([
      'standard error:',
      '  Cannot answer "save".',
    ]);
    expect(judge(scenario, { ...evidence, stderr: ['why'], point: failed })[0]?.details).toEqual([
      'standard error:',
      '  why',
    ]);
  });

  it.each([
    ['it succeeds', { faults, expect: [{ exit: 0 }] }],
    ['a call is expected, too', { faults, expect: [{ exit: 1 }, { call: 'tools/call', ends: 'fails' }] }],
    ['there is no fault', { expect: [{ exit: 1 }] }],
    [
      'a server is tested',
      { play: 'client', faults: [{ do: 'drop', when: { from: 'client' } }], expect: [{ session: 'client' }] },
    ],
  ])('not where %s', (_why, fields) => {
    expect(notes(fields)).toEqual([]);
  });

  it('not where a point passed', () => {
    expect(notes(point, reported('passed'))).toEqual([]);
  });
});
