import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../src/cassette/cassette.ts';
import { secretMasks } from '../../src/modes/replay-server.ts';
import type { JsonPath } from '../../src/protocol/json-scan.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { isObject } from '../../src/protocol/message.ts';
import { REVISIONS, type Revision } from '../../src/protocol/revisions.ts';
import { messageChecks } from '../../src/protocol/schema/message-checks.ts';
import { createRedactor } from '../../src/redact/redactor.ts';
import { isProtocolName, isProtocolWord } from '../../src/redact/rules/protocol-defined-values.ts';
import { isProtocolKey } from '../../src/redact/rules/protocol-fields.ts';
import { liveRedaction } from '../../src/verify/compare/equal-placeholders.ts';
import type { Conversation } from './area.ts';
import { AREAS } from './areas.ts';
import { exists, holdsIn, TRANSPORTS } from './cells.ts';
import { recorded, saidOn, showMockClient, showMockServer } from './show.ts';
import { Talk } from './talk.ts';
import { isRequest, isResponse, type Line, type Message } from './wire/line.ts';
import { WIRES } from './wire/wires.ts';

/**
 * Each conversation with a secret in every text that is no name and no word of the protocol: the replay of the redacted
 * cassette is the session, but for the placeholders.
 */
const CASES = AREAS.flatMap(({ conversations = [] }) => conversations).flatMap((conversation, number) => {
  const { on = TRANSPORTS } = conversation;
  const places = REVISIONS.filter((revision) => holdsIn(conversation, revision)).flatMap((revision) =>
    on.filter((transport) => exists(transport, revision)).map((transport) => ({ revision, transport })),
  );
  // One revision and transport for each, in turn.
  const place = places[(number * 7) % places.length];
  return place === undefined ? [] : [{ ...place, conversation, title: conversation.title }];
});

describe('a replay of the redacted cassette is one of the plain cassette, but for the placeholders', () => {
  it.each(CASES)('$title, in $revision over $transport', async ({ conversation, revision, transport }) => {
    const said = withSecrets(conversation, revision);
    const wire = WIRES[transport];
    const cassette = await recorded(wire, said, redactor);
    const safe = redactedLines(said, cassette);
    expect(secretsIn(saidOn(cassette)), 'no secret is in the cassette').toEqual([]);
    // The live side has the secrets, and hears placeholders from the mock.
    await showMockServer(wire, withGivenPlaceholders(said, safe), cassette, secretMasks(cassette.events, redactor));
    await showMockClient(
      wire,
      withReturnedSecrets(said, safe),
      cassette,
      liveRedaction(redactor(), {}, () => '', { env: {} }),
    );
  });

  it('has secrets in all conversations but those that consist of words of the protocol', () => {
    const without = CASES.filter(
      ({ conversation, revision }) => secretsIn(withSecrets(conversation, revision)).length === 0,
    );
    expect(without.map(({ title }) => title)).toEqual([
      'the server knows only an older revision',
      'a client pings before it introduces itself',
      'both sides ping, alone and within a call',
      'a client begins with a call',
      'lists change, and are asked for again',
    ]);
  });
});

describe('a rule that matches every text', () => {
  it.each(REVISIONS.filter((revision) => messageChecks(revision)))(
    'leaves messages of %s that clients take by the official schema',
    (revision) => {
      const checks = messageChecks(revision)!;
      let count = 0;
      for (const conversation of AREAS.flatMap(({ conversations = [] }) => conversations)) {
        if (!holdsIn(conversation, revision)) continue;
        const rules = [{ test: () => true, name: 'all' }];
        const everything = createRedactor({ env: {}, rules });
        const asked = new Map<string, string>();
        for (const { from, message } of conversation.lines(new Talk(revision))) {
          const { id, method, result } = message;
          if (method !== undefined && id !== undefined) asked.set(`${from} ${id}`, method);
          const opener = asked.get(`${from === 'client' ? 'server' : 'client'} ${id}`);
          const check =
            method !== undefined ? checks.ofMethod(method) : result && opener && checks.ofResult(opener, result);
          if (!check) continue;
          const kept = everything.json(new JsonText(JSON.stringify(message))).value as Message;
          expect(check.breachOf(method === undefined ? kept.result : kept), JSON.stringify(kept)).toBe(undefined);
          count++;
        }
      }
      expect(count).toBeGreaterThan(100);
    },
  );
});

const redactor = () => createRedactor({ env: {} });
const TOKEN = /ghp_[A-Za-z0-9]{36}/g;
const PLACEHOLDER = /\[redacted:github-token:\d+\]/g;

function secretsIn(value: unknown): string[] {
  return JSON.stringify(value).match(TOKEN) ?? [];
}

function withSecrets({ lines }: Conversation, revision: Revision): Line[] {
  return lines(new Talk(revision)).map((line) => {
    const text = JSON.stringify(line.message);
    const planted = (value: unknown, path: JsonPath): unknown => {
      if (Array.isArray(value)) return value.map((one, at) => planted(one, [...path, at]));
      if (isObject(value))
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, planted(one, [...path, key])]));
      return typeof value === 'string' && isFree(value, path, text) ? `${value} ${tokenOf(value)}` : value;
    };
    return { ...line, message: planted(line.message, []) as Message };
  });
}

function isFree(value: string, path: JsonPath, message: string): boolean {
  const key = path.at(-1);
  const isOfProtocol = isProtocolKey(key) || isProtocolName(path, message) || isProtocolWord(path, value, message);
  return value !== '' && path.length > 1 && !isOfProtocol;
}

/** Equal texts get equal secrets. */
function tokenOf(text: string): string {
  const made = createHash('sha512')
    .update(text)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  return `ghp_${made.slice(0, 36)}`;
}

/** Returns the lines as the cassette has them. Each secret has one placeholder, and no two have the same. */
function redactedLines(said: readonly Line[], cassette: Cassette): Line[] {
  const open = saidOn(cassette);
  const placeholders = new Map<string, string>();
  for (const { from, message } of said) {
    const at = open.findIndex((one) => one.from === from && shapeOf(one.message) === shapeOf(message));
    if (at < 0) continue;
    const found = JSON.stringify(open.splice(at, 1)).match(PLACEHOLDER) ?? [];
    secretsIn(message).forEach((secret, number) => {
      expect(placeholders.get(secret) ?? found[number]).toBe(found[number]);
      placeholders.set(secret, found[number]!);
    });
  }
  expect(open, 'the cassette has nothing else').toEqual([]);
  expect(new Set(placeholders.values()).size).toBe(placeholders.size);
  return said.map((line) => ({
    ...line,
    message: JSON.parse(JSON.stringify(line.message).replace(TOKEN, (secret) => placeholders.get(secret) ?? secret)),
  }));
}

/**
 * Returns what a live server hears: placeholders, but for the secrets that it has returned in an earlier answer before the
 * client has sent them.
 */
function withReturnedSecrets(said: readonly Line[], safe: readonly Line[]): Line[] {
  const [returned, sent] = [new Set<string>(), new Set<string>()];
  return said.map((line, at) => {
    if (line.from === 'server') {
      const made = isResponse(line.message) ? secretsIn(line.message).filter((secret) => !sent.has(secret)) : [];
      for (const secret of made) returned.add(secret);
      return line;
    }
    for (const secret of secretsIn(line.message)) sent.add(secret);
    if (!isRequest(line.message)) return safe[at]!;
    const placeholders = JSON.stringify(safe[at]!.message).match(PLACEHOLDER) ?? [];
    const text = JSON.stringify(line.message).replace(TOKEN, (secret) => {
      const placeholder = placeholders.shift()!;
      return returned.has(secret) ? secret : placeholder;
    });
    return { ...line, message: JSON.parse(text) };
  });
}

/**
 * Returns what passes between a live client and the mock server: placeholders of the server, and secrets of the client, but for
 * those that the server gave it before the client had sent them, which it gives back as it heard them.
 */
function withGivenPlaceholders(said: readonly Line[], safe: readonly Line[]): Line[] {
  const [given, sent] = [new Set<string>(), new Set<string>()];
  return said.map((line, at) => {
    if (line.from === 'server') {
      for (const secret of secretsIn(line.message)) if (!sent.has(secret)) given.add(secret);
      return safe[at]!;
    }
    const placeholders = JSON.stringify(safe[at]!.message).match(PLACEHOLDER) ?? [];
    const text = JSON.stringify(line.message).replace(TOKEN, (secret) => {
      const placeholder = placeholders.shift()!;
      if (given.has(secret)) return placeholder;
      sent.add(secret);
      return secret;
    });
    return { ...line, message: JSON.parse(text) };
  });
}

function shapeOf(message: unknown): string {
  return JSON.stringify(message).replace(TOKEN, '*').replace(PLACEHOLDER, '*');
}
