import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { readFastYaml } from '../../src/cassette/read/fast-yaml/fast-yaml-reader.ts';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { yamlList, yamlMapping } from '../../src/cassette/read/yaml/full-yaml-reader.ts';
import { endText, eventText, headerText } from '../../src/cassette/write/format-event.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { fuzzed } from '../support/fuzz.ts';
import { HARD_STRINGS, messageText, trickyString } from './arbitrary.ts';

const HEADER = { format: 'mcp-record/1', recorder: 'mcp-record 0.1.0', transport: 'stdio' } as const;
const RUNS = 3000;

const message = (text: string): Frame => ({
  kind: 'message',
  at: 0,
  from: 'server',
  json: new JsonText(text),
});
const noise = (data: string | Uint8Array): Frame => ({
  kind: 'line',
  at: 0,
  from: 'server',
  on: 'stderr',
  data,
});
const cassetteOf = (frames: Frame[]) =>
  headerText(HEADER) + frames.map((frame) => eventText(frame)).join('') + endText('complete');
const itemOf = (frame: Frame) => `- ${eventText(frame).slice(0, -2)}`;
const reread = (frame: Frame) => parseCassette(cassetteOf([frame]), 'cassette.yaml').events[0]!.frame;

describe('what was written is read back', () => {
  const places: [string, (text: string) => string][] = [
    ['as a value', (text) => `{"text":${text}}`],
    ['as a key', (text) => `{${text}:1}`],
    ['in a list', (text) => `[${text}]`],
    ['in a list in a list', (text) => `[[${text},${text}],{"a":[${text}]}]`],
    ['before other keys', (text) => `{"a":{"b":${text}},"c":${text},"d":[{"e":${text},"f":null}]}`],
  ];
  for (const [place, around] of places) {
    it.each(HARD_STRINGS.map((text) => [JSON.stringify(text)]))(`%s ${place}, by our reader alone`, (text) => {
      const json = around(text);
      const item = itemOf(message(json));
      expect(readFastYaml(item, 2)).toEqual([{ key: 'server', json: canonical(json), at: 2 }]);
      expect(yamlMapping({ file: '', text: item.replace('-', ' '), line: 1 })).toEqual([
        { key: 'server', json: canonical(json), at: 2 },
      ]);
    });
  }

  it('any message, by our reader and by yaml alike', () => {
    fc.assert(
      fc.property(messageText, (json) => {
        const item = itemOf(message(json));
        const ours = readFastYaml(item, 2);
        expect(ours).toEqual([{ key: 'server', json: canonical(json), at: 2 }]);
        expect(yamlMapping({ file: '', text: item.replace('-', ' '), line: 1 })).toEqual(ours);
      }),
      fuzzed(RUNS),
    );
  });

  it('any line that is no message', () => {
    fc.assert(
      fc.property(trickyString, (data) => {
        expect(reread(noise(data))).toEqual(noise(data));
      }),
      fuzzed(RUNS),
    );
  });

  it('any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (data) => {
        const frame = reread({ ...noise(data), kind: 'line' } as Frame);
        const back = frame.kind === 'line' ? frame.data : '';
        expect(Buffer.from(back)).toEqual(Buffer.from(data));
      }),
      fuzzed(500),
    );
  });

  it('number lexemes and the order of keys, to the character', () => {
    const json = '{"z":1.0,"a":-0,"m":1e400,"1":123456789012345678901234,"b":1E+2}';
    expect(reread(message(json))).toMatchObject({ json: { text: json } });
  });

  it('whole cassettes as YAML without errors or warnings', () => {
    fc.assert(
      fc.property(fc.array(messageText, { minLength: 1, maxLength: 5 }), (texts) => {
        const cassette = cassetteOf(texts.map(message));
        const document = parseDocument(cassette, { uniqueKeys: false });
        expect([...document.errors, ...document.warnings]).toEqual([]);
        const { events } = parseCassette(cassette, 'cassette.yaml');
        expect(events.map(({ frame }) => frame.kind === 'message' && frame.json.text)).toEqual(texts.map(canonical));
      }),
      fuzzed(300),
    );
  });
});

describe('what our reader accepts', () => {
  const EDITS = [
    ' ',
    '  ',
    '\n',
    '\n  ',
    '\n    ',
    '#',
    ' # note',
    '\n    # note\n',
    '\n# note\n',
    ':',
    ': ',
    '- ',
    "'",
    '"',
    '\\',
    '|',
    '|-',
    '|2',
    '\t',
    '&a',
    '*a',
    '!t ',
    '{',
    '[',
    ',',
    'true',
    '1',
    '<<: ',
    '\r',
    '\u0085',
    '\u2028',
  ];

  const { numRuns } = fuzzed(2 * RUNS);

  it(`is read the same by yaml, however the text was edited, ${numRuns} times`, () => {
    let accepted = 0;
    const edit = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', ...EDITS));
    fc.assert(
      fc.property(messageText, fc.array(edit, { minLength: 1, maxLength: 3 }), (json, edits) => {
        let item = itemOf(message(json));
        for (const [where, removed, added] of edits) {
          const at = 2 + (where % (item.length - 1));
          item = item.slice(0, at) + added + item.slice(at + removed);
        }
        const ours = readFastYaml(item, 2);
        if (ours === undefined) return;
        accepted++;
        expect(ours).toEqual(yamlList({ file: '', text: item, line: 1 })[0]);
      }),
      { numRuns },
    );
    expect(accepted).toBeGreaterThan(numRuns / 16);
  });
});

/** The same tokens, with each string escaped as JSON.stringify does. */
function canonical(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (token) => JSON.stringify(JSON.parse(token)));
}
