import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import type { Params } from '../../src/protocol/message.ts';
import { META } from '../../src/protocol/meta.ts';
import { RestartedSession } from '../../src/restart/restarted-session.ts';
import { call, cancel, notification, progress, request, result } from '../support/conversation.ts';

const json = (value: unknown) => new JsonText(JSON.stringify(value));
const valuesOf = (messages: readonly JsonText[]) => messages.map(({ value }) => value);
const WHY = 'restarted';
const failed = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: WHY } });
const told = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true }, prompts: {}, resources: { subscribe: true }, logging: {} },
  serverInfo: { name: 's', version: '1' },
};
const greeting = request(0, 'initialize', { clientInfo: { name: 'c' } });
const initialized = notification('initialized');

function conversation() {
  const session = new RestartedSession();
  return {
    session,
    /** What the server gets of a message of the client. */
    says: (message: unknown) => session.fromClient(json(message))?.value,
    /** What follows from a message of the server. */
    hears(message: unknown) {
      const { client, server, ...rest } = session.fromServer(json(message));
      return { ...(client && { client: client.value }), ...(server && { server: valuesOf(server) }), ...rest };
    },
    ends: () => session.serverEnded(WHY).map((text) => JSON.parse(text)),
    opens: () => valuesOf(session.open()),
  };
}

/** A session with a handshake, and a few calls. */
function opened(result: Params = told) {
  const talk = conversation();
  talk.says(greeting);
  talk.hears({ jsonrpc: '2.0', id: 0, result });
  talk.says(initialized);
  return talk;
}

const accepted = (talk: ReturnType<typeof conversation>, message: { id: unknown }) => {
  talk.says(message);
  talk.hears({ jsonrpc: '2.0', id: message.id, result: {} });
};

describe('a new server', () => {
  it('gets the opening with the params of the client, and then its kept calls', () => {
    const talk = opened();
    accepted(talk, request(1, 'logging/setLevel', { level: 'error' }));
    accepted(talk, request(2, 'logging/setLevel', { level: 'debug' }));
    accepted(talk, request(3, 'resources/subscribe', { uri: 'a' }));
    accepted(talk, request(4, 'resources/subscribe', { uri: 'b' }));
    accepted(talk, request(5, 'resources/unsubscribe', { uri: 'a' }));
    accepted(talk, call(6, 'add'));
    talk.ends();
    expect(talk.opens()).toEqual([{ ...greeting, id: 'mcp-record-0' }]);
    expect(talk.session.isOpen).toBe(false);
    expect(talk.hears({ jsonrpc: '2.0', id: 'mcp-record-0', result: told })).toEqual({
      server: [
        initialized,
        request('mcp-record-1', 'logging/setLevel', { level: 'debug' }),
        request('mcp-record-2', 'resources/subscribe', { uri: 'b' }),
      ],
    });
    expect(talk.hears(result('mcp-record-1', ''))).toEqual({ server: [] });
    expect(talk.session.isOpen).toBe(false);
    expect(talk.hears(result('mcp-record-2', ''))).toEqual({ server: [] });
    expect(talk.session.isOpen).toBe(true);
    expect(talk.session.opened()).toEqual({
      notifications: ['{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'],
      notes: [
        'The new server goes on with the session. It got again what the client has sent: initialize, notifications/initialized, logging/setLevel, resources/subscribe.',
        expect.stringContaining('not told that prompts, resources may have changed: the server has not declared'),
      ],
    });
  });

  it('does not get calls that the old one refused or had not answered', () => {
    const talk = opened();
    talk.says(request(1, 'logging/setLevel', { level: 'debug' }));
    talk.hears({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } });
    talk.says(request(2, 'resources/subscribe', { uri: 'a' }));
    expect(talk.ends()).toEqual([failed(2)]);
    talk.opens();
    expect(talk.hears({ jsonrpc: '2.0', id: 'mcp-record-0', result: told })).toEqual({ server: [initialized] });
  });

  it('that differs from what the client was told is noted, and so is a call that it refuses', () => {
    const talk = opened();
    accepted(talk, request(1, 'logging/setLevel', { level: 'debug' }));
    talk.ends();
    talk.opens();
    const now = { ...told, protocolVersion: '2025-06-18', capabilities: { ...told.capabilities, completions: {} } };
    const { note } = talk.hears({ jsonrpc: '2.0', id: 'mcp-record-0', result: now });
    expect(note).toBe(
      'The new server differs from what the client was told: /protocolVersion ("2025-11-25" → "2025-06-18"), /capabilities/completions is new: {}. Connect the client again for that.',
    );
    expect(talk.hears({ jsonrpc: '2.0', id: 'mcp-record-1', error: { code: 1, message: 'no logs' } })).toEqual({
      server: [],
      note: 'The new server refused logging/setLevel: no logs. The client does not know that.',
    });
  });

  it('that refuses the opening never has the session', () => {
    const talk = opened();
    talk.ends();
    talk.opens();
    const refusal = { jsonrpc: '2.0', id: 'mcp-record-0', error: { code: 1, message: 'not yet' } };
    expect(talk.hears(refusal)).toEqual({ server: [], refused: 'it refused initialize: not yet' });
    expect(talk.session.isOpen).toBe(false);
  });

  it('gets the initialize that the old one has not answered, as the client sent it', () => {
    const talk = conversation();
    talk.says(greeting);
    expect(talk.ends()).toEqual([]);
    expect(talk.opens()).toEqual([greeting]);
    expect(talk.session.isOpen).toBe(true);
    expect(talk.session.opened()).toMatchObject({ notifications: [], notes: [expect.any(String)] });
    expect(talk.hears({ jsonrpc: '2.0', id: 0, result: told })).toMatchObject({ client: { id: 0 } });
  });
});

describe('a request that is open when the server ends', () => {
  it('fails once, and its cancel does not reach the new server', () => {
    const talk = opened();
    talk.says(call(7, 'slow'));
    expect(talk.ends()).toEqual([failed(7)]);
    talk.opens();
    expect(talk.says(cancel(7))).toBeUndefined();
    expect(talk.says(cancel(8))).toEqual(cancel(8));
    expect(talk.ends()).toEqual([]);
  });

  it('gets no answer if the client has cancelled it', () => {
    const talk = opened();
    talk.says(call(7, 'slow'));
    talk.says(cancel(7));
    expect(talk.ends()).toEqual([]);
  });

  it('fails at the end of the session even if it could be asked again', () => {
    const talk = conversation();
    talk.says(greeting);
    expect(talk.session.end(WHY).map((text) => JSON.parse(text))).toEqual([failed(0)]);
  });

  it('fails where there is no server, and what the client says beside it is kept', () => {
    const talk = conversation();
    expect(talk.session.refuse(json(call('x', 'a')), WHY).map((text) => JSON.parse(text))).toEqual([failed('x')]);
    expect(talk.session.refuse(json(initialized), WHY)).toEqual([]);
  });
});

describe('a question of the server', () => {
  const question = (id: unknown, token?: unknown) => ({
    jsonrpc: '2.0',
    id,
    method: 'sampling/createMessage',
    params: token === undefined ? {} : { _meta: { progressToken: token } },
  });
  const answer = (id: unknown) => ({ jsonrpc: '2.0', id, result: { role: 'assistant' } });

  it('is withdrawn when its server ends, and the answer does not reach the next one', () => {
    const talk = opened();
    expect(talk.hears(question(0, 'token'))).toEqual({ client: question(0, 'token') });
    expect(talk.ends()).toEqual([{ ...cancel(0), params: { requestId: 0, reason: 'the server was restarted' } }]);
    talk.opens();
    expect(talk.says(answer(0))).toBeUndefined();
    expect(talk.says(progress('token', 1))).toBeUndefined();
  });

  it('of the next server has an id and a token that the client has not seen', () => {
    const talk = opened();
    talk.hears(question(0, 0));
    talk.says(answer(0));
    talk.ends();
    talk.opens();
    expect(talk.hears(question(0, 0))).toEqual({ client: question(1, 1) });
    expect(talk.says(progress(1, 5))).toEqual(progress(0, 5));
    expect(talk.hears(cancel(0))).toEqual({ client: cancel(1) });
    expect(talk.hears(question('q'))).toEqual({ client: question(2) });
    expect(talk.says(answer(2))).toEqual(answer('q'));
    expect(talk.says(answer(99))).toEqual(answer(99));
    expect(talk.says(progress('own', 1))).toEqual(progress('own', 1));
    expect(talk.hears(cancel('unknown'))).toEqual({ client: cancel('unknown') });
    expect(talk.ends()).toEqual([]);
  });

  it('follows from the opening if it comes before the first request of the client, or asks for roots', () => {
    const talk = opened();
    const isOfOpening = (message: unknown) => talk.session.isOfOpening(json(message));
    expect(isOfOpening(question(0))).toBe(false);
    talk.ends();
    talk.opens();
    expect([question(0), notification('message'), answer(0)].map(isOfOpening)).toEqual([true, true, false]);
    talk.says(call(1, 'a'));
    expect([question(0), notification('message'), request(9, 'roots/list')].map(isOfOpening)).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('a session of 2026-07-28', () => {
  const meta = { [META.protocolVersion]: '2026-07-28' };
  const listen = (id: number) => request(id, 'subscriptions/listen', { _meta: meta, notifications: {} });
  const acknowledged = (id: number, notifications: object) =>
    notification('subscriptions/acknowledged', { notifications, _meta: { [META.subscriptionId]: id } });
  const modern = () => {
    const talk = conversation();
    accepted(talk, request(1, 'tools/list', { _meta: meta }));
    return talk;
  };

  it('goes on with the subscription: the client hears of the changes that it subscribed to, and of no second start', () => {
    const talk = modern();
    talk.says(listen(2));
    expect(talk.hears(acknowledged(2, { toolsListChanged: true }))).toHaveProperty('client');
    talk.says(call(3, 'slow'));
    expect(talk.ends()).toEqual([failed(3)]);
    expect(talk.opens()).toEqual([listen(2)]);
    expect(talk.session.isOpen).toBe(false);
    expect(talk.hears(acknowledged(2, { toolsListChanged: true }))).toEqual({ server: [] });
    expect(talk.session.isOpen).toBe(true);
    const { notifications } = talk.session.opened();
    expect(notifications.map((text) => JSON.parse(text))).toEqual([
      notification('tools/list_changed', { _meta: { [META.subscriptionId]: 2 } }),
    ]);
    talk.hears({ jsonrpc: '2.0', id: 2, result: {} });
    talk.ends();
    expect(talk.opens()).toEqual([]);
  });

  it('passes the first acknowledgement, and the refusal of a new server', () => {
    const talk = modern();
    talk.says(listen(2));
    talk.ends();
    talk.opens();
    expect(talk.session.isOpen).toBe(true);
    expect(talk.hears(acknowledged(2, {}))).toHaveProperty('client');
    talk.ends();
    talk.opens();
    const refusal = { jsonrpc: '2.0', id: 2, error: { code: 1, message: 'no' } };
    expect(talk.hears(refusal)).toEqual({ client: refusal });
    expect(talk.session.isOpen).toBe(true);
  });

  it('says that a client without a subscription hears of no change', () => {
    const talk = modern();
    talk.ends();
    talk.opens();
    expect(talk.session.opened()).toEqual({
      notifications: [],
      notes: [
        'The new server goes on with the session.',
        expect.stringContaining('tools, prompts, resources may have changed: it has not subscribed to that'),
      ],
    });
  });
});
