import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { eventText } from '../../src/cassette/write/format-event.ts';
import type { MessageFrame } from '../../src/channel/frame.ts';

const HEAD = 'format: mcp-record/1\ntransport: stdio\nevents:\n';
const first = (text: string) => parseCassette(HEAD + text, 'cassette.yaml').events[0]!.frame as MessageFrame;

describe('a cassette of a stranger', () => {
  it.each([
    [
      'as our writer spells it',
      '- client:\n    id: 1\n    method: a\n    params:\n      __proto__:\n        polluted: true\n      constructor:\n        prototype:\n          polluted: true\n',
    ],
    [
      'as any YAML',
      '- client: {id: 1, method: a, params: {__proto__: {polluted: true}, constructor: {prototype: {polluted: true}}}}\n',
    ],
  ])('may name what every object inherits, %s, and changes none', (_how, text) => {
    const { json } = first(text);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(json.text).toContain('"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}');
    expect(eventText({ kind: 'message', at: 0, from: 'client', json })).toContain('polluted: true');
  });

  it('cannot make its header, or an event, of what only objects have', () => {
    expect(() => parseCassette(`toString: x\n${HEAD}`, 'a')).toThrow(/\[CASSETTE_BAD_HEADER\]/);
    expect(() => first('- constructor: {}\n')).toThrow(/\[CASSETTE_BAD_EVENT\]/);
    expect(() => first('- __proto__: { client: {} }\n')).toThrow(/\[CASSETTE_BAD_EVENT\]/);
  });

  it('may have a line of 20 MB, and a list of a million, in one read each', () => {
    const word = 'x'.repeat(20_000_000);
    expect(first(`- stderr: ${word}\n`)).toMatchObject({ data: word });
    const list = `${'0,'.repeat(1_000_000)}0`;
    const said = `{"jsonrpc":"2.0","id":1,"result":[${list}]}`;
    expect(first(`- client: '${said}'\n`).json.text === said).toBe(true);
  });

  it('that never comes to its events is refused before it is all read', () => {
    expect(() => parseCassette(`# ${'x'.repeat(2_000_000)}\n`, 'a')).toThrow(/\[CASSETTE_NOT_RECOGNIZED\]/);
  });
});
