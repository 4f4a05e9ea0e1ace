import { describe, expect, it } from 'vitest';
import { FORMAT, TITLE } from '../../../src/cassette/cassette.ts';
import { IncrementalCassetteParser } from '../../../src/cassette/read/incremental-cassette-parser.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { endText, eventText, headerText } from '../../../src/cassette/write/format-event.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { SESSION, SESSION_FRAMES } from '../session.ts';

const message = (value: object) => {
  const json = new JsonText(JSON.stringify(value));
  return { kind: 'message', at: 0, from: 'server', json } as const;
};

const FILE = 'cassettes/a.yaml';
const whole = parseCassette(SESSION, FILE);

describe('a recording that was cut short', () => {
  const bytes = Buffer.from(SESSION);

  it(`gives, at each of ${bytes.length - TITLE.length} bytes, the events that were finished, and says so`, () => {
    for (let length = TITLE.length; length < bytes.length; length++) {
      const torn = bytes.subarray(0, length);
      const { events, warnings, end } = parseCassette(torn, FILE);
      const committed = torn.toString('latin1').match(/^- (?=\w)/gm)?.length ?? 0;
      const isAtDash = /\n- $/.test(torn.subarray(-3).toString('latin1'));
      expect(events).toEqual(whole.events.slice(0, Math.max(0, isAtDash ? committed : committed - 1)));
      expect(end).toBeUndefined();
      expect(warnings).toHaveLength(1);
    }
  });

  it(`is no cassette at any of the ${TITLE.length} bytes of its first line`, () => {
    expect(() => parseCassette('', FILE)).toThrow('CASSETTE_EMPTY');
    for (let length = 1; length < TITLE.length; length++)
      expect(() => parseCassette(bytes.subarray(0, length), FILE)).toThrow('CASSETTE_NOT_RECOGNIZED');
  });

  it('names the line of what is left out', () => {
    expect(parseCassette(SESSION.slice(0, SESSION.indexOf('- signal') + 4), FILE).warnings).toEqual([
      `${FILE}:${SESSION.slice(0, SESSION.indexOf('- signal')).split('\n').length}: the recording was cut short here; what was being written is left out`,
    ]);
  });

  it('is whole with its last line break', () => {
    expect(whole).toMatchObject({ end: 'complete', warnings: [] });
    expect(whole.events).toHaveLength(SESSION_FRAMES.length);
    expect(parseCassette(SESSION.trimEnd(), FILE).events).toEqual(whole.events);
  });
});

describe('what was recorded', () => {
  it('is read as it was, a gap later each time', () => {
    const at = [0, 100, 100, 100, 200, 200, 200, 300, 300, 300];
    expect(whole.events.map(({ frame }) => plain(frame))).toEqual(
      SESSION_FRAMES.map((frame, index) => plain({ ...frame, at: at[index]! })),
    );
  });

  it.each([1, 187, 188, 189, 1_500, 100_000])('stands on its line behind %i letters', (length) => {
    for (const letter of ['a', 'é']) {
      const texts = [letter.repeat(length), `"${letter.repeat(length)}`, `${letter.repeat(length)}\nb`, 'end'];
      const lines = texts.map((text) => eventText(message({ jsonrpc: '2.0', method: 'x', params: { text } })));
      const cassette = [headerText({ format: FORMAT, recorder: 'x', transport: 'stdio' }), ...lines].join('');
      const { events } = parseCassette(`${cassette}${endText('complete')}`, FILE);
      const said = events.map(({ frame }) => frame.kind === 'message' && frame.json.value);
      expect(said).toEqual(texts.map((text) => ({ jsonrpc: '2.0', method: 'x', params: { text } })));
      const dashes = cassette.split('\n').flatMap((line, i) => (line.startsWith('- ') ? [i + 1] : []));
      expect(events.map(({ line }) => line)).toEqual(dashes.slice(0, texts.length));
    }
  });

  it('is a small difference when one word is edited', () => {
    const edited = SESSION.replace('three', 'four');
    const lines = SESSION.split('\n');
    expect(edited.split('\n').filter((line, index) => line !== lines[index])).toEqual(['          four']);
  });
});

describe('a walk', () => {
  it('knows the header when the first dash has come', () => {
    const walk = new IncrementalCassetteParser(FILE);
    const dash = SESSION.indexOf('\n- ');
    walk.push(Buffer.from(SESSION.slice(0, dash + 2)));
    expect(walk.header).toBeUndefined();
    walk.push(Buffer.from(SESSION.slice(dash + 2, dash + 3)));
    expect(walk.header).toMatchObject({ recorder: 'mcp-record 0.1.0' });
  });

  it('gives up on a file whose header does not end', () => {
    const walk = new IncrementalCassetteParser(FILE);
    expect(() => walk.push(Buffer.alloc(2_000_000, 'x'))).toThrow('CASSETTE_NOT_RECOGNIZED');
  });
});

/** Without what a frame keeps for itself. */
function plain(frame: object): unknown {
  return JSON.parse(JSON.stringify(frame, (_, value) => (value instanceof Uint8Array ? [...value] : value)));
}
