import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { contractChanges } from '../../../src/contract/contract-changes.ts';
import { withUsers } from '../../../src/contract/usage/change-users.ts';
import { recordedUses } from '../../../src/contract/usage/recorded-uses.ts';
import type { Params } from '../../../src/protocol/message.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';

const tape = (file: string, ...frames: Frame[]) => recordedUses({ ...cassette(...frames), file });
const calls = (file: string, name: string, args?: Params) => tape(file, client(call(1, name, args)));

/** Returns each breaking change, with the files of its users. */
function users(method: string, before: object, after: object, ...cassettes: ReturnType<typeof tape>[]): string[] {
  const changes = contractChanges(request(1, method), { result: before }, { result: after });
  return withUsers(changes, cassettes)
    .filter(({ severity }) => severity === 'breaking')
    .map(({ reason, usedBy }) => {
      const files = typeof usedBy === 'string' ? usedBy : usedBy?.map(({ file }) => file).join();
      return `${reason}: ${files}`;
    });
}

const tools = (...list: object[]) => ({ tools: list });
const weather = (properties: object, more: object = {}) => ({
  name: 'weather',
  inputSchema: { type: 'object', properties, ...more },
});
const text = { type: 'string' };
const one = (before: object, after: object, ...cassettes: ReturnType<typeof tape>[]) =>
  users('tools/list', tools(before), tools(after), ...cassettes);

describe('withUsers', () => {
  it('names the cassettes that call a tool which was removed or renamed, and no other', () => {
    const [a, b] = [calls('a', 'weather'), calls('b', 'tides')];
    expect(users('tools/list', tools(weather({}), { name: 'tides' }), tools(weather({})), a, b)).toEqual([
      'tool "tides" was removed: b',
    ]);
    expect(users('tools/list', tools({ name: 'moon' }), tools(), a, b)).toEqual(['tool "moon" was removed: ']);
    const named = { ...weather({}), description: 'Says it.' };
    expect(one(named, { ...named, name: 'forecast' }, a, b)).toEqual(['tool "weather" was renamed to "forecast": a']);
  });

  it('says the first line, the number of uses and the client', () => {
    const clientInfo = { name: 'editor', version: '2' };
    const user = tape(
      'a',
      client(request(0, 'initialize', { clientInfo })),
      client(call(1, 'x')),
      client(call(2, 'x')),
    );
    const changes = contractChanges(request(1, 'tools/list'), { result: tools({ name: 'x' }) }, { result: tools() });
    expect(withUsers(changes, [user])[0]!.usedBy).toEqual([{ file: 'a', line: 2, uses: 2, client: 'editor 2' }]);
  });

  it('names those that send a removed argument', () => {
    const [a, b] = [calls('a', 'weather', { unit: 'c' }), calls('b', 'weather', { city: 'Oslo' })];
    expect(one(weather({ unit: text, city: text }), weather({ city: text }), a, b)).toEqual([
      'tool "weather": argument "unit" was removed: a',
    ]);
  });

  it('names those that lack an argument which is now required, each of its own', () => {
    const [a, b] = [calls('a', 'weather', { x: 'x' }), calls('b', 'weather', { y: 'y' })];
    const both = { x: text, y: text };
    expect(one(weather(both), weather(both, { required: ['x', 'y'] }), a, b)).toEqual([
      'tool "weather": argument "x" is now required: b',
      'tool "weather": argument "y" is now required: a',
    ]);
    expect(one(weather({ x: text }), weather(both, { required: ['y'] }), a, b)).toEqual([
      'tool "weather": new required argument "y": a',
    ]);
  });

  it('names those that send a value which is gone, and all that send an argument with another bound', () => {
    const [a, b] = [calls('a', 'weather', { unit: 'c', n: 1 }), calls('b', 'weather', { unit: 'f' })];
    expect(one(weather({ unit: { enum: ['c', 'f'] } }), weather({ unit: { enum: ['f'] } }), a, b)).toEqual([
      'tool "weather": argument "unit": value "c" is no longer allowed: a',
    ]);
    expect(one(weather({ unit: {} }), weather({ unit: { enum: ['f'] } }), a, b)).toEqual([
      'tool "weather": argument "unit": value is now limited to "f": a',
    ]);
    expect(one(weather({ unit: text }), weather({ unit: { type: 'integer' } }), a, b)).toEqual([
      'tool "weather": argument "unit": type "string" is no longer allowed: a,b',
    ]);
    expect(one(weather({ n: { maximum: 9 } }), weather({ n: { maximum: 5 } }), a, b)).toEqual([
      'tool "weather": argument "n": maximum 9 → 5: a',
    ]);
    expect(one(weather({ n: { anyOf: [text, {}] } }), weather({ n: { anyOf: [text] } }), a, b)).toEqual([
      'tool "weather": argument "n": alternative {} is no longer allowed: a',
    ]);
  });

  it('looks into objects and lists', () => {
    const [a, b] = [calls('a', 'weather', { days: [{ hour: 1 }] }), calls('b', 'weather', { days: [] })];
    const days = (properties: object) => weather({ days: { type: 'array', items: { type: 'object', properties } } });
    expect(one(days({ hour: {} }), days({}), a, b)).toEqual([
      'tool "weather": argument "days": argument "hour" was removed: a',
    ]);
  });

  it('takes all calls for affected by a definition, by a reference to another argument, and by the schema itself', () => {
    const [a, b] = [calls('a', 'weather', { x: 'x' }), calls('b', 'weather')];
    const defined = (type: string) => weather({ x: { $ref: '#/$defs/x' } }, { $defs: { x: { type } } });
    expect(one(defined('string'), defined('integer'), a, b)).toHaveLength(1);
    expect(one(defined('string'), defined('integer'), a, b)[0]).toMatch(/: a,b$/);
    const referring = (type: string) => weather({ x: { $ref: '#/properties/y' }, y: { type } });
    expect(one(referring('string'), referring('integer'), a)[0]).toMatch(/: a$/);
    expect(one(weather({}), weather({}, { minProperties: 1 }), a, b)[0]).toMatch(/: a,b$/);
    expect(one(weather({}), weather({}, { additionalProperties: false }), a, b)[0]).toMatch(/: a,b$/);
  });

  it('takes all calls for affected by a field of the answer, and by any other field of the tool', () => {
    const [a, b] = [calls('a', 'weather'), calls('b', 'tides')];
    const out = (properties: object) => ({ name: 'weather', outputSchema: { type: 'object', properties } });
    expect(one(out({ city: text }), out({}), a, b)).toEqual(['tool "weather": field "city" was removed: a']);
    const ran = (taskSupport: string) => ({ name: 'weather', execution: { taskSupport } });
    expect(one(ran('optional'), ran('forbidden'), a, b)).toEqual(['tool "weather": execution changed: a']);
  });

  it('knows who gets a prompt, or completes its arguments', () => {
    const prompts = (...names: string[]) => ({
      prompts: [{ name: 'p', arguments: names.map((name) => ({ name })) }],
    });
    const a = tape('a', client(request(1, 'prompts/get', { name: 'p', arguments: { x: '1' } })));
    const completes = (argument: string) => ({
      ref: { type: 'ref/prompt', name: 'p' },
      argument: { name: argument, value: 'v' },
    });
    const b = tape('b', client(request(1, 'completion/complete', completes('x'))));
    const c = tape('c', client(request(1, 'completion/complete', completes('y'))));
    expect(users('prompts/list', prompts('x', 'y'), prompts('y'), a, b, c)).toEqual([
      'prompt "p": argument "x" was removed: a,b',
    ]);
    expect(users('prompts/list', prompts('y'), { prompts: [] }, a, b, c)).toEqual(['prompt "p" was removed: a,b,c']);
  });

  it('knows who reads a resource, subscribes to it, or reads one of a template', () => {
    const read = (file: string, uri: string) => tape(file, client(request(1, 'resources/read', { uri })));
    const listens = tape(
      'l',
      client(request(1, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['file:///a'] } })),
    );
    const cassettes = [read('a', 'file:///a'), read('b', 'db://b'), listens];
    expect(users('resources/list', { resources: [{ uri: 'file:///a' }] }, { resources: [] }, ...cassettes)).toEqual([
      'resource "file:///a" was removed: a,l',
    ]);
    const templates = { resourceTemplates: [{ uriTemplate: 'db://{name}' }] };
    expect(users('resources/templates/list', templates, { resourceTemplates: [] }, ...cassettes)).toEqual([
      'resource template "db://{name}" was removed: b',
    ]);
    const ref = { type: 'ref/resource', uri: 'db://{name}' };
    const completes = tape('c', client(request(1, 'completion/complete', { ref })));
    expect(users('resources/templates/list', templates, { resourceTemplates: [] }, completes)).toEqual([
      'resource template "db://{name}" was removed: c',
    ]);
  });

  it('knows who reads a skill, one of its files, and who asks for events', () => {
    const read = (file: string, uri: string) => tape(file, client(request(1, 'resources/read', { uri })));
    const cassettes = [read('a', 'skill://a/SKILL.md'), read('b', 'skill://a/b.md'), read('c', 'skill://c/SKILL.md')];
    const skills = { skills: [{ uri: 'skill://a/SKILL.md' }] };
    expect(users('skills/list', skills, { skills: [] }, ...cassettes)).toEqual([
      'skill "skill://a/SKILL.md" was removed: a,b',
    ]);
    const skill = (...uris: string[]) => ({
      skill: { uri: 'skill://a/SKILL.md', resources: uris.map((uri) => ({ uri })) },
    });
    expect(users('skills/get', skill('skill://a/b.md'), skill(), ...cassettes)).toEqual([
      'file "skill://a/b.md" was removed: b',
    ]);
    const poll = tape('p', client(request(1, 'events/poll', { name: 'e' })));
    expect(users('events/list', { events: [{ name: 'e' }] }, { events: [] }, poll, ...cassettes)).toEqual([
      'event type "e" was removed: p',
    ]);
  });

  it('knows who needs a capability, and that it cannot know it of some', () => {
    const said = (capabilities: object) => ({ capabilities });
    const a = calls('a', 'weather');
    const b = tape('b', server(notification('tools/list_changed')));
    const c = tape('c', client(request(1, 'subscriptions/listen', { notifications: { toolsListChanged: true } })));
    const gone = (capabilities: object) => users('initialize', said(capabilities), said({}), a, b, c);
    expect(gone({ tools: {} })).toEqual(['capability "tools" was lost: a,b,c']);
    expect(users('initialize', said({ tools: { listChanged: true } }), said({ tools: {} }), a, b, c)).toEqual([
      'capability "tools.listChanged" was lost: b,c',
    ]);
    expect(gone({ prompts: {} })).toEqual(['capability "prompts" was lost: ']);
    expect(gone({ experimental: {} })).toEqual(['capability "experimental" was lost: unknown']);
    expect(gone({ extensions: { 'io.modelcontextprotocol/ui': {} } })).toEqual([
      'capability "extensions" was lost: unknown',
    ]);
    const tasks = tape('t', client(request(1, 'tools/call', { name: 'x', task: {} })));
    expect(users('initialize', said({ tasks: {} }), said({}), tasks)).toEqual(['capability "tasks" was lost: t']);
    const logs = tape('l', client(request(1, 'ping', { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } })));
    expect(users('server/discover', said({ logging: {} }), said({}), logs)).toEqual([
      'capability "logging" was lost: l',
    ]);
  });

  it('knows who speaks a revision', () => {
    const held = (file: string, protocolVersion: string) =>
      tape(file, client(request(0, 'initialize')), server({ jsonrpc: '2.0', id: 0, result: { protocolVersion } }));
    const cassettes = [held('a', '2025-06-18'), held('b', '2025-11-25')];
    const said = (protocolVersion: string) => ({ protocolVersion });
    expect(users('initialize', said('2025-06-18'), said('2025-03-26'), ...cassettes)).toEqual([
      'protocol revision 2025-06-18 → 2025-03-26: a',
    ]);
    const supports = (...supportedVersions: string[]) => ({ supportedVersions });
    expect(users('server/discover', supports('2025-11-25'), supports(), ...cassettes)).toEqual([
      'other revisions are supported: b',
    ]);
    expect(users('server/discover', supports(), supports('2026-07-28'), ...cassettes)).toEqual([
      'other revisions are supported: unknown',
    ]);
  });

  it('leaves other changes alone', () => {
    const changes = contractChanges(
      request(1, 'tools/list'),
      { result: tools() },
      { result: tools({ name: 'a', inputSchema: { type: 'object' } }) },
    );
    expect(withUsers(changes, [])).toEqual(changes);
  });
});
