import { expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { RequestTracker } from '../../../src/faults/engine/request-tracker.ts';
import { selects, type When } from '../../../src/faults/rules/when.ts';
import { client, request, result, server, signal, stderr } from '../../support/conversation.ts';

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream }) as Frame;
const isSelected = (when: When, frame: Frame) => selects(when, frame, new RequestTracker().of(frame));
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
  ['a request is one', { from: 'client', kind: 'request' }, asks({}), true],
  ['and no notification', { from: 'client', kind: 'notification' }, asks({}), false],
  ['an opening is no message, whatever kind is meant', { from: 'client' }, get, false],
  ['and no request', { from: 'client', kind: 'request' }, get, false],
  ['a tool is meant by its name', { from: 'client', tool: 't' }, asks({ name: 't' }, 'tools/call'), true],
  ['and no other tool', { from: 'client', tool: 't' }, asks({ name: 'u' }, 'tools/call'), false],
  ['nor a prompt of that name', { from: 'client', tool: 't' }, asks({ name: 't' }), false],
  [
    'a resource is meant by its address',
    { from: 'client', resource: 'r:1' },
    asks({ uri: 'r:1' }, 'resources/read'),
    true,
  ],
  ['and no other', { from: 'client', resource: 'r:1' }, asks({ uri: 'r:2' }, 'resources/read'), false],
  ['a prompt is meant by its name', { from: 'client', prompt: 'p' }, asks({ name: 'p' }), true],
  ['and no other prompt', { from: 'client', prompt: 'p' }, asks({ name: 'q' }), false],
  ['but no tool of that name', { from: 'client', prompt: 'p' }, asks({ name: 'p' }, 'tools/call'), false],
  ['a value has to stand there', { from: 'client', at: { '/params/a': { b: [1] } } }, asks({ a: { b: [1] } }), true],
  ['with all of its keys', { from: 'client', at: { '/params/a': { b: 1 } } }, asks({ a: { c: 1 } }), false],
  ['and no other value', { from: 'client', at: { '/params/a': { b: 1 } } }, asks({ a: { b: 2 } }), false],
  ['of which none is missing', { from: 'client', at: { '/params/a': { b: 1, c: 2 } } }, asks({ a: { b: 1 } }), false],
  ['and no more keys', { from: 'client', at: { '/params/a': { b: 1 } } }, asks({ a: { b: 1, c: 2 } }), false],
  ['each with its value', { from: 'client', at: { '/params/a': { b: 1, c: 2 } } }, asks({ a: { b: 1, c: 3 } }), false],
  ['a list is no object', { from: 'client', at: { '/params/a': [1] } }, asks({ a: { 0: 1 } }), false],
  ['and a number neither', { from: 'client', at: { '/params/a': { b: 1 } } }, asks({ a: 1 }), false],
  ['nothing stands in what is null', { from: 'client', at: { '/params/a/b/c': 1 } }, asks({ a: null }), false],
  ['or in what is no message', { from: 'client', kind: 'open', at: { '/params': 1 } }, get, false],
])('%s', (_, when, frame, is) => {
  expect(isSelected(when, frame)).toBe(is);
});
