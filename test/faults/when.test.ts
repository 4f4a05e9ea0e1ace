import { expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import { Subjects } from '../../src/faults/subjects.ts';
import { selects, type When } from '../../src/faults/when.ts';
import { client, request, result, server, signal, stderr } from '../support/conversation.ts';

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream }) as Frame;
const isSelected = (when: When, frame: Frame) => selects(when, frame, new Subjects().of(frame));
const get: Frame = { kind: 'open', at: 0, from: 'client', stream: 1, method: 'GET' };
const closes = (more: object) => ({ kind: 'close', at: 0, from: 'client', ...more }) as Frame;
const asks = (params: Record<string, unknown>, method = 'prompts/get') => client(request(1, method, params));

it.each<[string, When, Frame, boolean]>([
  ['the server is meant where nobody is named', {}, server(result(1, 'x')), true],
  ['and not the client', {}, client(request(1, 'a')), false],
  ['a request without a message is an opening', { from: 'client', kind: 'open', method: 'GET' }, get, true],
  ['and of its method alone', { from: 'client', kind: 'open', method: 'DELETE' }, get, false],
  ['a message is none', { from: 'client', kind: 'open' }, client(request(1, 'a')), false],
  ['the end of input is an end', { from: 'client', kind: 'end' }, closes({}), true],
  ['over HTTP the end of a message is none', { from: 'client', kind: 'end' }, closes({ stream: 1 }), false],
  ['a loss is', { from: 'client', kind: 'end' }, closes({ stream: 1, how: 'rst' }), true],
  ['a signal is', { from: 'client', kind: 'end' }, signal('SIGTERM'), true],
  ['what is said on standard error is none', { kind: 'end' }, stderr('x'), false],
  ['an exchange is meant by its number', { stream: 2 }, on(2, server(result(1, 'x'))), true],
  ['and no other', { stream: 2 }, on(3, server(result(1, 'x'))), false],
  ['a prompt is meant by its name', { from: 'client', prompt: 'p' }, asks({ name: 'p' }), true],
  ['but no tool of that name', { from: 'client', prompt: 'p' }, asks({ name: 'p' }, 'tools/call'), false],
  [
    'a value has to stand there',
    { from: 'client', at: { '/params/a': { b: [1] } } },
    asks({ a: { b: [1] } }),
    true,
  ],
  ['with all of its keys', { from: 'client', at: { '/params/a': { b: 1 } } }, asks({ a: { c: 1 } }), false],
  ['and no other value', { from: 'client', at: { '/params/a': { b: 1 } } }, asks({ a: { b: 2 } }), false],
])('%s', (_, when, frame, is) => {
  expect(isSelected(when, frame)).toBe(is);
});
