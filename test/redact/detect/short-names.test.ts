import { describe, expect, it } from 'vitest';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';

const json = (value: unknown) => createRedactor({ env: {} }).json(new JsonText(JSON.stringify(value))).text;
const text = (value: string) => createRedactor({ env: {} }).text(value);

describe('a name that also names other things', () => {
  it.each([
    { sid: 'k9dLm2xQz8TyUv4W' },
    { license: '7H3K-99XA-22QW-PLM4' },
    { licence: '7H3K-99XA-22QW-PLM4' },
    { pin: '4711' },
    { pin: 471_199 },
    { PIN: '00471199' },
    { otp: '482913' },
    { otp: 482_913 },
    { totp: '4829' },
    { otp: 'k9dLm2xQz8TyUv4W' },
  ])('has a secret that looks like one: %j', (value) => {
    expect(json(value)).toMatch(/^\{"[\w.]+":"\[redacted:[\w.]+:1\]"\}$/i);
  });

  it.each([
    { session: 'k9dLm2xQz8TyUv4W' },
    { session: 3 },
    { session: 'morning-standup' },
    { session: 'd9428888-122b-11e1-b85c-61cd3cbb3210' },
    { sid: 12 },
    { sid: 'S-1-5-18' },
    { sid: 'tutorial-session-one' },
    { license: 'MIT' },
    { license: 'Apache-2.0 WITH LLVM-exception' },
    { license: 'SEE LICENSE IN LICENSE.md' },
    { pin: 13 },
    { pin: 123 },
    { pin: '123456789' },
    { pin: 'GPIO17' },
    { pin: true },
    { pins: '4711' },
    { pinCount: 4711 },
    { otpLength: 4829 },
    { session_count: 471_199 },
  ])('stays beside any other value: %j', (value) => {
    expect(json(value)).toBe(JSON.stringify(value));
  });

  it('is one in texts, too', () => {
    expect(text('pin=4711 otp: 482913')).toBe('pin=[redacted:pin:1] otp: [redacted:otp:1]');
    expect(text('sid=k9dLm2xQz8TyUv4W; Path=/')).toBe('sid=[redacted:sid:1]; Path=/');
    for (const harmless of [
      'session: 3 of 4',
      'the session: opening words',
      'mapping: 4711',
      'license: MIT',
      'pin: 13',
    ])
      expect(text(harmless)).toBe(harmless);
  });

  it('does not make its digits a secret elsewhere', () => {
    expect(json({ pin: '4711', text: 'room 4711' })).toBe('{"pin":"[redacted:pin:1]","text":"room 4711"}');
  });
});
