import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/redact/redactor.ts';
import { SecretBindings } from '../../../src/replay/match/secret-bindings.ts';
import { compareSession } from '../../../src/verify/compare/compare-session.ts';
import { liveRedaction } from '../../../src/verify/compare/equal-placeholders.ts';
import { ungivenSecretNotes, unlikeSecretNotes } from '../../../src/verify/compare/uncompared-secrets.ts';
import { call, cassette, client, server } from '../../support/conversation.ts';
import { live } from '../live.ts';

const redaction = liveRedaction(createRedactor({ env: {} }), {}, () => '', { env: {} });

describe('placeholders without a given value', () => {
  const notes = (...recorded: unknown[]) =>
    ungivenSecretNotes(recorded, { ...redaction, sent: new Map([['AUTHORIZATION:1', new Set<string>()]]) }, (names) =>
      names.join(),
    );

  it('are named once, with their variables, also those in base64', () => {
    const encoded = Buffer.from('the token is [redacted:github-token:1] here').toString('base64');
    expect(notes({ a: '[redacted:order:2] [redacted:order:2]' }, undefined, { a: encoded })).toEqual([
      expect.stringMatching(
        /^\[redacted:order:2\], \[redacted:github-token:1\] were not compared.* order_2,GITHUB_TOKEN$/,
      ),
    ]);
    expect(notes(['[redacted:order:1]'])).toEqual([expect.stringMatching(/^\[redacted:order:1\] was not.* order$/)]);
  });

  it('are none that the live server returned and the client sent back', () => {
    const followed = new Set(['[redacted:token:1]']);
    const recorded = [{ token: '[redacted:token:1]', order: '[redacted:order:2]' }];
    const notes = ungivenSecretNotes(recorded, { ...redaction, followed }, (names) => names.join());
    expect(notes).toEqual([expect.stringMatching(/^\[redacted:order:2\] was not compared.* order_2$/)]);
  });

  it('are ten at most', () => {
    const many = Array.from({ length: 12 }, (_, n) => `[redacted:order:${n + 1}]`);
    expect(notes(many)).toEqual([expect.stringMatching(/order:10\] and 2 more were not .*order_10$/)]);
  });

  it('are none where the answers have none, or the client sends the value in a header', () => {
    expect(notes({ a: 'plain' })).toEqual([]);
    expect(notes({ a: '[redacted:authorization:1]' })).toEqual([]);
  });
});

describe('a placeholder that passed for what may be no secret', () => {
  const PLACEHOLDER = '[redacted:password:1]';
  const notes = (recorded: unknown, said: unknown, bindings = new SecretBindings()) =>
    unlikeSecretNotes([{ recorded: { result: [recorded] }, live: { result: [said] } }], { ...redaction, bindings });

  it.each([
    ['a number', PLACEHOLDER, 48151623, [/^The server sent a number for \[redacted:password:1\]\. /]],
    [
      'the placeholder itself',
      `is ${PLACEHOLDER}`,
      `is ${PLACEHOLDER}`,
      [/^The server sent \[redacted:password:1\] itself, /],
    ],
    ['another secret', PLACEHOLDER, 'correct-horse-7', []],
    ['a number in a text', `is ${PLACEHOLDER}`, 4711, []],
    ['another placeholder', PLACEHOLDER, '[redacted:other:1]', []],
    ['nothing', PLACEHOLDER, undefined, []],
  ])('is noted: %s', (_, recorded, said, expected) => {
    expect(notes(recorded, said)).toEqual(expected.map((one) => expect.stringMatching(one)));
    expect(notes({ a: recorded, b: 1 }, { a: said, c: 2 })).toEqual(expected.map((one) => expect.stringMatching(one)));
  });

  it('is not noted where the placeholder has a value in this run: there, it fails', () => {
    const bindings = new SecretBindings();
    bindings.bind(['[recorded password:1]'], ['[live password:1]']);
    expect(notes(PLACEHOLDER, PLACEHOLDER, bindings)).toEqual([]);
  });
});

describe('a request that failed', () => {
  const recorded = cassette(
    client(call(1, 'login')),
    server({ jsonrpc: '2.0', id: 1, result: { structuredContent: { token: '[redacted:token:1]' } } }),
    client(call(2, 'who', { token: '[redacted:token:1]' })),
    server({ jsonrpc: '2.0', id: 2, result: { structuredContent: { name: '[redacted:name:1]' } } }),
  );
  const notesOf = async (isRefused: boolean) => {
    const { driven } = await live(recorded, ({ id, result }) => [
      isRefused
        ? { jsonrpc: '2.0', id, error: { code: 1, message: 'Log in first' } }
        : { jsonrpc: '2.0', id, result: { ...result } },
    ]);
    return compareSession({ file: 'a.yaml', driven, redaction }).notes.join(' ');
  };

  it('has no note on secrets, since none was compared or could be followed', async () => {
    expect(await notesOf(false)).toContain('[redacted:name:1]');
    expect(await notesOf(true)).not.toContain('redacted');
  });
});
