import { describe, expect, it } from 'vitest';
import { eventText } from '../../../src/cassette/write/format-event.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { createExemptions } from '../../../src/redact/rules/exempt-value-registry.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const ALLOWED = `demo/${TOKEN}!`;

const said = (value: object): JsonText => new JsonText(JSON.stringify({ id: 1, result: value }));
const event = (value: object): string =>
  eventText({ kind: 'message', at: 0, from: 'server', json: said(value) } as Frame);

describe('what the protocol needs as it is', () => {
  const state = `step 2 of ${TOKEN}`;

  it('may be written in its place, however YAML spells it', () => {
    for (const requestState of [TOKEN, state, `'${TOKEN}'`, `"${TOKEN}\\`, `a\n  ${TOKEN}\nb`, `\u0085${TOKEN}`]) {
      const { json, suspicious } = createRedactor({ env: {} });
      const message = said({ requestState });
      expect(json(message)).toBe(message);
      expect(suspicious(event({ requestState })), requestState).toBeUndefined();
      expect(suspicious(message.text), requestState).toBeUndefined();
      expect(suspicious(JSON.stringify(message.text)), requestState).toBeUndefined();
    }
  });

  it('is suspicious everywhere else on the same cassette', () => {
    const { json, suspicious } = createRedactor({ env: {} });
    json(said({ requestState: state }));
    const start = expect.any(Number) as number;
    for (const text of [TOKEN, `a: ${state}`, `myrequestState: ${state}`, `requestState: of ${TOKEN}`])
      expect(suspicious(text), text).toEqual({ name: 'github-token', start, end: start });
    expect(suspicious(`requestState: ${state}\nother: ${TOKEN}`)).toMatchObject({
      start: `requestState: ${state}\nother: `.length,
    });
  });

  it('is known in base64, too, and does not hide what comes after it', () => {
    const { json, suspicious } = createRedactor({ env: {} });
    const [first, second] = [1, 2].map((n) => Buffer.from(`${n} ${TOKEN}`).toString('base64'));
    json(said({ requestState: first }));
    expect(suspicious(`requestState: ${first}`)).toBeUndefined();
    expect(suspicious(`requestState: ${first}\nid: ${second}`)).toMatchObject({ name: 'base64' });
    expect(suspicious(`id: ${first}`)).toMatchObject({ name: 'base64' });
  });
});

describe('what a user allows', () => {
  it('stays as a whole, with the token in it, which is taken out everywhere else', () => {
    const { text, json, suspicious } = createRedactor({ env: {}, allow: [ALLOWED] });
    expect(text(`see ${TOKEN}`)).toBe('see [redacted:github-token:1]');
    for (const stays of [ALLOWED, `see ${ALLOWED}, and`, `password="${ALLOWED}"`]) expect(text(stays)).toBe(stays);
    const message = said({ password: ALLOWED, text: `it is ${ALLOWED}` });
    expect(json(message)).toBe(message);
    expect(text(`${ALLOWED} ${TOKEN}`)).toBe(`${ALLOWED} [redacted:github-token:1]`);
    expect(suspicious(`a: ${ALLOWED}`)).toBeUndefined();
    expect(suspicious(`a: ${ALLOWED} ${TOKEN}`)).toMatchObject({ start: `a: ${ALLOWED} `.length });
    expect(suspicious(`a: demo/${TOKEN}`)).toMatchObject({ start: 'a: demo/'.length });
  });

  it('stays where it matches an expression, and its token nowhere else', () => {
    const { text, json, suspicious } = createRedactor({ env: {}, allow: [/^demo/] });
    const message = said({ password: ALLOWED });
    expect(json(message)).toBe(message);
    expect(suspicious(event({ password: ALLOWED }))).toBeUndefined();
    expect(text(TOKEN)).toBe('[redacted:github-token:1]');
    expect(suspicious(TOKEN)).toMatchObject({ name: 'github-token' });
  });

  it('is no excuse for a secret that only holds it', () => {
    const { text } = createRedactor({ env: {}, allow: ['a1B2', 'hunter2'] });
    expect(text(`see ${TOKEN} password=hunter2-x`)).toBe(
      'see [redacted:github-token:1] password=[redacted:password:1]',
    );
  });
});

describe('exemptions', () => {
  it('hold for the part of a value that they are told of, with the value around it', () => {
    const exempt = createExemptions();
    exempt.add('one two three', [{ start: 4, end: 7 }]);
    expect(exempt.cover('one two three', { start: 4, end: 7 })).toBe(true);
    expect(exempt.cover('xx two three', { start: 3, end: 6 })).toBe(false);
    expect(exempt.cover('one two threw', { start: 4, end: 7 })).toBe(false);
    expect(exempt.cover('one two three', { start: 0, end: 3 })).toBe(false);
  });

  it('hold for each of several values with the same part', () => {
    const exempt = createExemptions();
    for (const value of ['a x', 'b x']) exempt.add(value, [{ start: 2, end: 3 }], 'cursor');
    for (const text of ['cursor: a x', '{"cursor":"b x"}', "cursor: 'a x'"]) {
      const start = text.indexOf(' x') + 1;
      expect(exempt.cover(text, { start, end: start + 1 }), text).toBe(true);
    }
    expect(exempt.cover('cursor: c x', { start: 10, end: 11 })).toBe(false);
  });
});
