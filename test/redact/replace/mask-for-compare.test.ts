import { expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { NUMBERED_SECRET } from '../../../src/redact/comparison-mask-format.ts';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { hasRedactedMessages, maskSecrets, wasRedacted } from '../../../src/redact/replace/mask-for-compare.ts';

const alike = maskSecrets(createRedactor({ env: {} }));

it('a live secret is compared as what is left of it in a cassette', () => {
  const live = { params: { password: 'hunter2hunter', city: 'Oslo' } };
  const recorded = { params: { password: '[redacted:password:7]', city: 'Oslo' } };
  expect(alike(live)).toEqual(alike(recorded));
  expect(alike(live)).not.toEqual(alike({ params: { ...live.params, city: 'Rome' } }));
  expect(alike(live)).not.toEqual(alike({ params: { city: 'Oslo' } }));
});

it('tells a redacted text', () => {
  expect([wasRedacted('a [redacted:token:1]'), wasRedacted('[redacted]')]).toEqual([true, false]);
});

it('tells a session with a redacted message; a line that is no message does not count', () => {
  const text = '"a [redacted:token:1]"';
  const message: Frame = { kind: 'message', at: 0, from: 'server', json: new JsonText(`[${text}]`) };
  const line: Frame = { kind: 'line', at: 0, from: 'server', on: 'stderr', data: text };
  expect(hasRedactedMessages([{ frame: line }])).toBe(false);
  expect(hasRedactedMessages([{ frame: line }, { frame: message }])).toBe(true);
});

it('tells secrets apart by their numbers, and those that the message has from those that are found', () => {
  const told = alike.numbered({
    list: ['[redacted:password:7]', 1, null],
    password: 'hunter2hunter',
    again: 'hunter2hunter',
  });
  const found = '[live password:1]';
  expect(told).toEqual({ list: ['[recorded password:7]', 1, null], password: found, again: found });
  const encoded = Buffer.from('the password of it is hunter2hunter, as ever').toString('base64');
  expect(JSON.stringify(alike.numbered({ encoded }))).toContain(found);
  expect(JSON.stringify(told).match(NUMBERED_SECRET)).toHaveLength(3);
});

it('a found value is no placeholder of the message, whatever number it has got before', () => {
  const { numbered } = maskSecrets(createRedactor({ env: {} }));
  const password = 'hunter2hunter';
  const [found] = JSON.stringify(numbered({ password })).match(NUMBERED_SECRET)!;
  const text = found!.replace('live', 'redacted:').replace(': ', ':');
  expect(numbered({ text, password })).toEqual({ text: found!.replace('live', 'recorded'), password: found });
});
