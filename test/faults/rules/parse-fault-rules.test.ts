import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseFaultRules, parseShortRule } from '../../../src/faults/rules/parse-fault-rules.ts';

const read = (value: unknown) => parseFaultRules(value, { name: 'faults.yaml', transport: 'stdio' });
const rule = (value: unknown) => read({ faults: [value] }).rules[0]!;

describe('a rule', () => {
  it('has its parameters, and what was left out', () => {
    const { fault, ...rest } = rule({
      do: 'latency',
      delay: 50,
      when: { from: 'server', tool: 'search', nth: 2, at: { '/params/x': null } },
      times: 3,
      probability: 0.5,
    });
    expect([fault.kind.name, fault.values]).toEqual(['latency', { delay: 50, jitter: 0, distribution: 'uniform' }]);
    expect(rest).toEqual({
      when: { from: 'server', tool: 'search', nth: 2, at: { '/params/x': null } },
      times: 3,
      probability: 0.5,
    });
  });

  it('may wait for ever', () => {
    expect(rule({ do: 'stall', for: 'forever' }).fault.values).toEqual({ for: Number.POSITIVE_INFINITY });
  });

  it.each([
    [{ do: 'ltency', delay: 5 }, 'FAULT_UNKNOWN', 'there is no fault "ltency"', 'Did you mean "latency"?'],
    [{ do: 'zzzzzzzz' }, 'FAULT_UNKNOWN', 'there is no fault "zzzzzzzz"', 'There are: latency, stall,'],
    [{}, 'FAULT_UNKNOWN', 'does not say what to do', 'There are:'],
    [{ do: 'latency' }, 'FAULT_BAD_RULE', '"delay" is missing', 'milliseconds from 0 to'],
    [{ do: 'latency', dely: 5 }, 'FAULT_BAD_RULE', 'nothing is called "dely"', 'Did you mean "delay"?'],
    [{ do: 'cut', nth: 2 }, 'FAULT_BAD_RULE', 'nothing is called "nth"', 'belongs into "when"'],
    [{ do: 'latency', delay: -1 }, 'FAULT_BAD_RULE', '"delay" is -1', 'milliseconds from 0 to'],
    [{ do: 'latency', delay: 1e12 }, 'FAULT_BAD_RULE', '"delay" is 1000000000000', 'milliseconds from 0 to'],
    [{ do: 'latency', delay: '5' }, 'FAULT_BAD_RULE', '"delay" is "5"', 'milliseconds'],
    [{ do: 'slice', size: 1.5 }, 'FAULT_BAD_RULE', '"size" is 1.5', 'a whole number from 1'],
    [{ do: 'corrupt', kind: 'x' }, 'FAULT_BAD_RULE', '"kind" is "x"', 'flip or invalid-utf8 or'],
    [{ do: 'exit', status: 256 }, 'FAULT_BAD_RULE', '"status" is 256', 'a code from 0 to 255'],
    [{ do: 'drop', times: -1 }, 'FAULT_BAD_RULE', '"times" is not a whole number', 'Leave it out'],
    [{ do: 'drop', probability: 1.1 }, 'FAULT_BAD_RULE', 'not from 0 to 1', '0.3'],
    [{ do: 'drop', when: 'x' }, 'FAULT_BAD_RULE', '"when" is not a mapping', 'method: tools/call'],
    [{ do: 'drop', when: { metod: 'x' } }, 'FAULT_BAD_RULE', 'nothing is called "metod"', '"method"?'],
    [{ do: 'drop', when: { from: 'x' } }, 'FAULT_BAD_RULE', '"from" is "x"', 'client or server'],
    [{ do: 'drop', when: { nth: 0 } }, 'FAULT_BAD_RULE', '"nth" is 0', 'a whole number from 1'],
    [{ do: 'drop', when: { at: { id: 1 } } }, 'FAULT_BAD_RULE', '"at" is {"id":1}', 'JSON Pointers'],
    ['drop', 'FAULT_BAD_RULE', 'a rule is a mapping', '- do: drop'],
    [{ do: 'cut', when: { method: 'initialise' } }, 'FAULT_BAD_RULE', 'no method "initialise"', 'mean "initialize"?'],
    [{ do: 'cut', when: { method: 'tools.call' } }, 'FAULT_BAD_RULE', 'no method "tools.call"', 'mean "tools/call"?'],
    [{ do: 'drop', when: { method: 'notifications/progres' } }, 'FAULT_BAD_RULE', 'could never fire', '/progress"?'],
    [{ do: 'drop', when: { method: 'search' } }, 'FAULT_BAD_RULE', 'no method "search"', "has a slash: 'acme/search'"],
  ])('%j is refused as %s', (written, code, why, next) => {
    const attempt = () => rule(written);
    expect(attempt).toThrow(`[${code}]`);
    expect(attempt).toThrow(why);
    expect(attempt).toThrow(next);
  });

  it('is refused where it has no meaning, with where it has', () => {
    const source = { name: 'faults.yaml', transport: 'http' } as const;
    const flood = { faults: [{ do: 'stderr-flood' }] };
    expect(() => parseFaultRules(flood, source)).toThrow(/no meaning over http.*\[FAULT_NO_MEANING\].*stdio/s);
  });

  it.each([
    ['stdio', { do: 'reset' }, 'no meaning over stdio'],
    ['stdio', { do: 'http-status', status: 503 }, 'no meaning over stdio'],
    ['stdio', { do: 'session-lost' }, 'no meaning over stdio'],
    ['stdio', { do: 'resume' }, 'no meaning over stdio'],
    ['stdio', { do: 'redeliver' }, 'no meaning over stdio'],
    ['memory', { do: 'slice' }, 'no meaning over memory'],
    ['stdio', { do: 'corrupt', kind: 'framing' }, 'there is no framing over stdio'],
    ['stdio', { do: 'junk', kind: 'event' }, 'there are no events over stdio'],
    ['stdio', { do: 'patch', headers: { a: 1 } }, 'there are no headers over stdio'],
    ['stdio', { do: 'drop', when: { stream: 1 } }, 'over stdio there are no exchanges of HTTP'],
    ['stdio', { do: 'drop', when: { kind: 'open' } }, 'over stdio there are no exchanges of HTTP'],
    ['stdio', { do: 'drop', when: { kind: 'start' } }, '"drop" needs a frame'],
    ['http', { do: 'slow-reader', rate: 1, when: { from: 'client' } }, 'a request is read completely'],
    ['http', { do: 'resume', when: { from: 'client' } }, 'only messages of the server can be resumed'],
    ['http', { do: 'redeliver', when: { from: 'client' } }, 'only messages of the server can be resumed'],
    ['http', { do: 'session-lost', when: { from: 'server' } }, 'only a message of the client'],
    ['stdio', { do: 'latency', delay: 0 }, 'it delays by 0 ms'],
    ['stdio', { do: 'patch' }, 'it has nothing to change'],
    ['http', { do: 'patch', merge: {}, headers: {} }, 'it has nothing to change'],
    ['stdio', { do: 'progress', kind: 'storm', count: 1 }, 'a storm of one is the notification itself'],
    ['stdio', { do: 'progress', when: { method: 'tools/call' } }, 'it is about notifications/progress alone'],
    ['stdio', { do: 'ignore-cancel', when: { method: 'tools/call' } }, 'it is about notifications/cancelled alone'],
    ['stdio', { do: 'version', when: { method: 'tools/call' } }, 'only the responses to initialize'],
    ['stdio', { do: 'version', when: { kind: 'request' } }, 'only the responses to initialize'],
    ['stdio', { do: 'version', when: { from: 'client' } }, 'only the responses to initialize'],
    ['stdio', { do: 'wrong-id', when: { kind: 'notification' } }, 'a notification has no id'],
    ['stdio', { do: 'error-reply', when: { kind: 'notification' } }, 'nobody answers a notification'],
    ['stdio', { do: 'late', when: { kind: 'notification' } }, 'nobody cancels a notification'],
    ['stdio', { do: 'cancel', when: { kind: 'notification' } }, 'only a request can be cancelled'],
    ['stdio', { do: 'corrupt', when: { kind: 'end' } }, '"corrupt" changes messages, and "kind: end" is none'],
    ['http', { do: 'corrupt', when: { kind: 'authorization', from: 'client' } }, '"kind: authorization" is none'],
    ['http', { do: 'oversize', when: { kind: 'open', from: 'client' } }, '"kind: open" is none'],
    ['stdio', { do: 'cut', when: { kind: 'end' } }, 'the stream ends there anyway'],
    ['stdio', { do: 'end', when: { kind: 'end', from: 'client' } }, 'the stream ends there anyway'],
    ['http', { do: 'truncate', when: { kind: 'end' } }, 'the stream ends there anyway'],
    ['stdio', { do: 'half-close', when: { kind: 'end' } }, 'the stream ends there anyway'],
    ['stdio', { do: 'drop', when: { kind: 'end' } }, 'the exit of the process ends its output anyway'],
    ['stdio', { do: 'stall', when: { kind: 'end' } }, 'the exit of the process ends its output anyway'],
    ['http', { do: 'http-status', status: 503, when: { kind: 'end' } }, 'the client has left'],
    ['http', { do: 'coalesce', when: { from: 'client' } }, 'each message of a client is a request of its own'],
    ['stdio', { do: 'slow-close', when: { kind: 'notification' } }, 'it holds back the end of the input'],
    ['stdio', { do: 'slow-close', when: { from: 'server' } }, 'it holds back the end of the input'],
    ['http', { do: 'down', for: 0 }, 'at the start nobody is connected'],
  ] as const)('over %s is refused: %j', (transport, written, why) => {
    const placeOf = () => ({ file: 'faults.yaml', line: 3 });
    const attempt = () => parseFaultRules({ faults: [written] }, { name: 'faults.yaml', transport, placeOf });
    expect(attempt).toThrow(why);
    expect(attempt).toThrow('[FAULT_NO_MEANING]');
    expect(attempt).toThrow('faults.yaml:3');
  });
});

describe('a fault whose default is about the client', () => {
  const write = (rule: object) => () =>
    parseFaultRules(
      { faults: [rule] },
      { name: 'faults.yaml', transport: 'http', placeOf: () => ({ file: 'f', line: 3 }) },
    );

  it.each([
    [
      { kind: 'response', method: 'tools/call', nth: 1 },
      /could never fire: only the server answers.*Write "from: server"/s,
    ],
    [{ kind: 'response', tool: 'add' }, /could never fire: only the server answers.*Write "from: server"/s],
    [{ method: 'notifications/message' }, /could never fire: only the server sends.*Write "from: server"/s],
    [{ kind: 'response' }, /most responses are those of the server.*Write "from: server" or "from: client"/s],
    [{ kind: 'response', method: 'acme/ask' }, /most responses are those of the server/],
  ])('is refused for what the server sends: %j', (when, message) => {
    expect(write({ do: 'http-status', status: 503, when })).toThrow(message);
    expect(write({ do: 'http-status', status: 503, when })).toThrow(/\[FAULT_BAD_RULE\]\n {2}at f:3/);
    expect(write({ do: 'http-status', status: 503, when: { ...when, from: 'server' } })).not.toThrow();
  });

  it.each([
    ['session-lost', {}],
    ['token-refused', {}],
    ['insufficient-scope', {}],
    ['http-status', { status: 503 }],
  ])('%s is refused for the answer to a call, and is not for a request', (name, params) => {
    expect(write({ do: name, ...params, when: { kind: 'response', method: 'tools/call' } })).toThrow(
      'could never fire',
    );
    expect(write({ do: name, ...params, when: { kind: 'request', method: 'tools/call' } })).not.toThrow();
    expect(write({ do: name, ...params, when: { kind: 'response', method: 'roots/list' } })).not.toThrow();
  });
});

it('a condition in a short rule is refused with the rule as it should be', () => {
  const refused = (text: string, longForm?: string) => {
    try {
      parseShortRule(text, 'http', longForm === undefined ? {} : { longForm });
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  const message = refused('token-refused:tools/call:nth=2,tool=weather,reason=revoked', 'it into a file');
  expect(message).toContain('Write it into a file.');
  const rule = /long form of a rule: (.*)/.exec(message)?.[1] ?? '';
  const when = { method: 'tools/call', nth: 2, tool: 'weather' };
  expect(parse(rule)).toEqual({ do: 'token-refused', when, reason: 'revoked' });
  expect(() => parseFaultRules({ faults: [parse(rule)] }, { name: 'f', transport: 'http' })).not.toThrow();
  expect(refused('http-status::status=503,tool=true')).toContain("when: { tool: 'true' }");
  for (const [text, method] of [
    ['latency:delay=5000', 'delay=5000'],
    ['latency:5000', '5000'],
    ['cut:nth=2', 'nth=2'],
  ])
    expect(refused(text!)).toContain(`"${method}" is not a method`);
  for (const text of ['{ do: token-refused, when: { nth: 2 } }', '- do: drop'])
    expect(refused(text)).toMatch(
      /not in the short form\. \[FAULT_BAD_RULE\]\n {2}Write a rule in braces as an object/,
    );
});

it('rules of a client that is played are about its messages', () => {
  const played = { name: 'faults.yaml', transport: 'stdio', from: 'client' } as const;
  const request = { faults: [{ do: 'drop', when: { kind: 'request', method: 'tools/call' } }] };
  expect(() => parseFaultRules(request, played)).not.toThrow();
  expect(() => parseFaultRules(request, { ...played, from: 'server' })).toThrow(/Write "from: client" in "when"/);
  expect(() => parseShortRule('drop:notifications/initialized', 'stdio', played)).not.toThrow();
  expect(() => parseShortRule('drop:notifications/initialized', 'stdio')).toThrow(/Write "from: client" in "when"/);
});

it.each(['clog', 'stall', 'discover-timeout', 'slow-close'])('%s for no time is refused, at its line', (name) => {
  const placeOf = () => ({ file: 'faults.yaml', line: 3 });
  const attempt = () =>
    parseFaultRules({ faults: [{ do: name, for: 0 }] }, { name: 'faults.yaml', transport: 'stdio', placeOf });
  expect(attempt).toThrow(
    /"for" is 0\. \[FAULT_BAD_RULE\]\n {2}at faults\.yaml:3\n {2}It has to be milliseconds from 1 /,
  );
});

it('a rule may observe messages for the journal, and nobody is told to', () => {
  expect(read({ faults: [{ do: 'observe' }] }).rules[0]!.fault.kind.name).toBe('observe');
  expect(() => read({ faults: [{ do: 'xxxxxxxx' }] })).toThrow(/There are: (?!.*observe)/);
});

it('a seed is a whole number', () => {
  expect(read({ seed: 7, faults: [] })).toEqual({ seed: 7, rules: [] });
  expect(() => read({ seed: 'x', faults: [] })).toThrow('"seed" is not a whole number');
  expect(() => read({ faults: {} })).toThrow('"faults" is not a list');
  expect(() => read([])).toThrow('it is not a mapping');
  expect(() => read({ fault: [] })).toThrow('Did you mean "faults"?');
});

describe('a rule in short', () => {
  const short = (text: string) => {
    const { fault, ...rest } = parseShortRule(text, 'stdio');
    return [fault.kind.name, fault.values, rest];
  };

  it.each([
    ['drop', ['drop', {}, {}]],
    ['cut:tools/call', ['cut', { bytes: 0 }, { when: { method: 'tools/call' } }]],
    ['cut:tools/call:nth=2', ['cut', { bytes: 0 }, { when: { method: 'tools/call', nth: 2 } }]],
    ['drop::nth=3,times=1', ['drop', {}, { when: { nth: 3 }, times: 1 }]],
    ['slice::size=3,gap=0', ['slice', { size: 3, variation: 0, gap: 0 }, {}]],
    ['junk:ping:text=a:b=c', ['junk', { text: 'a:b=c', kind: 'line' }, { when: { method: 'ping' } }]],
    ['exit::status=SIGSEGV,times=1', ['exit', { status: 'SIGSEGV' }, { times: 1 }]],
  ])('%s is read', (text, expected) => expect(short(text)).toEqual(expected));

  it('names itself where it is wrong', () => {
    expect(() => short('drop::nth=second')).toThrow(/"nth" is "second"\. .*It has to be a whole number from 1/s);
    expect(() => short('slice::sise=3')).toThrow(/the rule slice::sise=3.*Did you mean "size"\?/s);
  });
});

describe('the docs', () => {
  const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
  /** Rules in short after `--fault`, and in the lists of a test or of `PUT /faults`. */
  const rules = readdirSync(docs)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const text = readFileSync(join(docs, file), 'utf8');
      const given = [...text.matchAll(/--fault '?([a-z][^\s'`]*)/g)].map(([, rule = '']) => rule);
      const listed = [...text.matchAll(/faults(?:\(|"?: )\[(.*)\]/g)].flatMap(([, list = '']) => [
        ...list.matchAll(/(?<=^|, )['"]([a-z][^'"]*)['"](?!:)/g),
      ]);
      return [...given, ...listed.map(([, rule = '']) => rule)].map((rule) => ({ file, rule }));
    });

  it('have rules of each place that takes them', () => {
    expect(rules).toContainEqual({ file: 'vitest-reference.md', rule: 'cut:tools/call:nth=2' });
    expect(rules).toContainEqual({ file: 'control.md', rule: 'latency:tools/call:delay=50,nth=2' });
    expect(rules).toContainEqual({ file: 'auth.md', rule: 'token-refused:tools/call:nth=2' });
  });

  it.each(rules)('$file: $rule can be parsed', ({ rule }) => {
    expect(() => parseShortRule(rule, 'http')).not.toThrow();
  });
});

describe('the method of a rule', () => {
  it.each(['tools/call', 'acme/search', 'notifications/acme/changed'])('may be %s', (method) => {
    expect(rule({ do: 'drop', when: { method } }).when).toEqual({ method });
  });

  it('may be that of an HTTP request without a message', () => {
    const when = { kind: 'open', method: 'GET', from: 'client' };
    const source = { name: 'faults.yaml', transport: 'http' } as const;
    expect(parseFaultRules({ faults: [{ do: 'cut', when }] }, source).rules[0]!.when).toEqual(when);
  });

  it('may be any that the peers use', () => {
    const usesMethod = (method: string) => method === 'search';
    expect(parseShortRule('drop:search', 'stdio', { usesMethod }).when).toEqual({ method: 'search' });
    expect(() => parseShortRule('drop:serch', 'stdio', { usesMethod })).toThrow('MCP has no method "serch"');
  });
});
