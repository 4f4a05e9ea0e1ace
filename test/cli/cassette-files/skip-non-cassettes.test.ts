import { expect, it } from 'vitest';
import { isOtherFile } from '../../../src/cli/cassette-files/skip-non-cassettes.ts';

const HEAD = '# MCP session recorded by mcp-record. Format: mcp-record/1\n';
const EVENTS = 'events:\n- client: { id: 0, method: ping }\n';

it.each([
  ['a cassette', `format: mcp-record/1\n${EVENTS}`],
  ['one of a later format', `format: mcp-record/9\n${EVENTS}`],
  ['one in the form of JSON', '{"events": [], "format": "mcp-record/1"}'],
  ['one with a key in quotes', `"format": 'mcp-record/1'\n${EVENTS}`],
  ['one that a killed recorder has begun', HEAD],
  ['one without its format', EVENTS],
  ['one with a mistyped format', `fromat: mcp-record/1\n${EVENTS}`],
  ['one with two mistyped keys', `fromat: mcp\n${EVENTS.replace('events', 'evnets')}jsonrpc: '2.0'\n`],
  ['a part of one', '    method: ping\n    jsonrpc: "2.0"\n- close: client\n'],
  ['a part of one without its first lines', '- server: { id: 0, result: {} }\n'],
  ['one with a conflict', `<<<<<<< a\nformat: mcp-record/1\n=======\n>>>>>>> b\n${EVENTS}`],
  ['an empty file', ' \n'],
])('%s is not passed over', (_, text) => {
  expect(isOtherFile('a.yaml', Buffer.from(text))).toBe(false);
});

it.each([
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x41])],
  ['a lost block of a disk', Buffer.alloc(100)],
  ['UTF-16', Buffer.from(`format: mcp-record/1\n${EVENTS}`, 'utf16le')],
])('%s are not passed over', (_, bytes) => {
  expect(isOtherFile('a.yaml', bytes)).toBe(false);
});

it.each([
  ['a mock file', 'format: mcp-record-mock/1\ntools: {}\n'],
  ['a scenario', '# $schema=../node_modules/mcp-record/schema/scenario-1.json\ncassette: a.yaml\nplay: server\n'],
  ['rules of redaction', 'redact:\n- key: jsonrpc\n'],
  ['a lock file', 'packages:\n  /mcp-record/0.1.0:\n    dev: true\n'],
  ['a workflow', 'on: push\njobs: {}\n'],
  ['a workflow that writes a cassette', 'on: push\nrun: |\n  format: mcp-record/1\n  - client: {}\n  jsonrpc\n'],
  ['a template that is no YAML', 'a: {{ .Values.b }}\n'],
  ['documents in one file', 'a: 1\n---\nb: 2\n'],
])('%s is passed over', (_, text) => {
  expect(isOtherFile('a.yaml', Buffer.from(text))).toBe(true);
});

it('JSON is a cassette only if it says so', () => {
  expect(isOtherFile('a.json', Buffer.from('{ "jsonrpc": "2.0" }'))).toBe(true);
  expect(isOtherFile('a.json', Buffer.from('{ "format": "mcp-record/1", "events": []'))).toBe(false);
});
