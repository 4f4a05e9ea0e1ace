import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMAT } from '../../../src/cassette/cassette.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import { eventText, headerText } from '../../../src/cassette/write/format-event.ts';
import type { Frame, MessageFrame } from '../../../src/channel/frame.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { redactFinished } from '../../../src/record/redact-file/redact-finished.ts';
import { CassetteWriter } from '../../../src/record/writer/cassette-writer.ts';
import { redactBeforeWriting } from '../../../src/record/writer/redact-before-writing.ts';
import { needsNoLook, redactedEventText, withoutTokens } from '../../../src/record/writer/redacted-event-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { KINDS, PLACES } from '../../redact/planted.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';

const newFile = freeNames(temporaryFolder());
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe('the last look at what is to be written', () => {
  it('leaves no token of a known kind, in whatever way YAML spells it, and the cassette can be read', () => {
    const header = headerText({ format: FORMAT, transport: 'http' });
    for (const [place, frameWith] of Object.entries(PLACES))
      for (const { kind, text } of KINDS) {
        const redactor = createRedactor({ env: {} });
        const event = eventText({ ...frameWith(text), stream: 1 } as Frame);
        const safe = withoutTokens(event, redactor);
        expect(redactor.suspicious(safe), `${kind} in ${place}`).toBeUndefined();
        const { events } = parseCassette(`${header}${safe}`.slice(0, -'- '.length), `${kind} in ${place}`);
        expect(events).toHaveLength(1);
      }
  });

  it('spares what the protocol needs as it is, and what is allowed', () => {
    const redactor = createRedactor({ env: {}, allow: [TOKEN] });
    expect(withoutTokens(`a: ${TOKEN}\n`, redactor)).toBe(`a: ${TOKEN}\n`);
  });

  it('is not needed for a message that was just looked at and holds nothing that a token begins with', () => {
    const redactor = createRedactor({ env: {} });
    const message = (text: string, more: Partial<MessageFrame> = {}): MessageFrame => {
      const json = new JsonText(JSON.stringify({ id: 1, result: text }));
      return { kind: 'message', at: 0, from: 'server', json, ...more };
    };
    const isSpared = (frame: Frame) => needsNoLook(redactBeforeWriting(frame, redactor), redactor);
    const image = Buffer.from(Array.from({ length: 60 }, (_, n) => (n * 151) % 256)).toString('base64');
    for (const plain of ['hello', 'hello\nyou', image]) expect(isSpared(message(plain))).toBe(true);
    for (const text of [TOKEN, `see ghp_`, '\u0001', 'a%20b', 'password: l3tmein-now'])
      expect(isSpared(message(text)), text).toBe(false);
    expect(isSpared(message('hello', { headers: { 'x-a': 'b' } }))).toBe(false);
    expect(isSpared(message('hello', { sse: { id: TOKEN } }))).toBe(false);
    expect(needsNoLook(message('not looked at'), redactor)).toBe(false);
  });

  it('sees what is written in base64 as the bytes that it is', () => {
    const redactor = createRedactor({ env: {} });
    const bytes = (text: string) => Uint8Array.from([0xff, ...Buffer.from(text), 0xff]);
    const frames: Frame[] = [
      { kind: 'line', at: 0, from: 'server', on: 'protocol', data: bytes(`a ${TOKEN} b`) },
      { kind: 'line', at: 0, from: 'server', on: 'stderr', data: bytes(`a ${TOKEN} b`) },
      { kind: 'open', at: 0, from: 'client', stream: 1, method: 'POST', body: bytes(`a ${TOKEN} b`) },
      { kind: 'http-response', at: 0, from: 'server', stream: 1, status: 500, body: bytes(`a ${TOKEN} b`) },
    ];
    for (const frame of frames) {
      const text = redactedEventText(frame, undefined, redactor);
      expect(text).not.toContain(Buffer.from(bytes(`a ${TOKEN} b`)).toString('base64'));
      expect(text).toContain(Buffer.from(bytes('a redacted.github-token b')).toString('base64'));
    }
  });

  it('sees a token in base64, in what has not been redacted, and spares what the protocol needs', () => {
    const redactor = createRedactor({ env: {} });
    const blob = Buffer.from(`event ${TOKEN} of a stream`).toString('base64');
    expect(withoutTokens(`id: ${blob}\n`, redactor)).toBe('id: redacted\n');
    const other = Buffer.from('nothing in here that is secret').toString('base64');
    expect(withoutTokens(`id: ${other}\n`, redactor)).toBe(`id: ${other}\n`);
    const state = { id: 1, result: { resultType: 'input_required', requestState: blob } };
    const text = redactor.json(new JsonText(JSON.stringify(state))).text;
    expect(withoutTokens(text, redactor)).toBe(JSON.stringify(state));
  });

  it('is taken of every event that a recorder writes', () => {
    const file = newFile();
    const clock = new ManualClock();
    const blind = { ...createRedactor({ env: {} }), frame: (frame: Frame) => frame };
    const writer = new CassetteWriter({
      open: () => new CassetteFile(file),
      about: { transport: 'stdio' },
      clock,
      gap: 'none',
      redactor: () => blind,
      redactAgain: redactFinished,
      failed: (error) => {
        throw error;
      },
    });
    writer.write({ kind: 'line', at: 0, from: 'server', on: 'stderr', data: `the token is ${TOKEN} now` });
    writer.end('complete');
    expect(readFileSync(file, 'utf8')).toContain('stderr: the token is redacted.github-token now');
  });
});
