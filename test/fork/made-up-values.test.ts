import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../src/cassette/split-batches-into-entries.ts';
import { MadeUpValues } from '../../src/fork/made-up-values.ts';
import { JsonText } from '../../src/protocol/json-text.ts';
import { call, cassette, client, request } from '../support/conversation.ts';

const json = (message: unknown) => new JsonText(JSON.stringify(message));
const answer = (content: unknown) => ({ jsonrpc: '2.0', id: 1, result: content });
const text = (words: string) => answer({ content: [{ type: 'text', text: words }] });

/** Values of answers, each as recorded and as live. */
function learned(...answers: [recorded: unknown, live: unknown, asked?: object][]) {
  const values = new MadeUpValues();
  for (const [recorded, live, asked = call(1, 'open')] of answers) {
    const [entry] = eventsToEntries(cassette(client(asked)).events);
    values.learn(entry!, json(recorded), json(live));
  }
  return {
    sent: (message: unknown) => values.toServer(json(message)).value,
    got: (message: unknown) => values.toClient(json(message)).value,
  };
}

describe('a value that the live server made up', () => {
  it('is sent in place of the recorded one, and comes back as the recorded one', () => {
    const { sent, got } = learned([answer({ order: 'ord-1234' }), answer({ order: 'ord-9876' })]);
    expect(sent(call(2, 'read', { order: 'ord-1234', n: 1 }))).toEqual(call(2, 'read', { order: 'ord-9876', n: 1 }));
    expect(got(answer({ order: 'ord-9876', state: 'open' }))).toEqual(answer({ order: 'ord-1234', state: 'open' }));
  });

  it('is found inside a text, and as a number', () => {
    const { sent, got } = learned(
      [text('Session sess_12ab is open.'), text('Session sess_98cd is open.')],
      [answer({ id: 10042 }), answer({ id: 20077 })],
    );
    expect(sent(call(2, 'read', { session: 'sess_12ab' }))).toEqual(call(2, 'read', { session: 'sess_98cd' }));
    expect(sent(call(2, 'read', { id: 10042 }))).toEqual(call(2, 'read', { id: 20077 }));
    expect(sent(request(2, 'resources/read', { uri: 'notes://sess_12ab/1' }))).toEqual(
      request(2, 'resources/read', { uri: 'notes://sess_98cd/1' }),
    );
    expect(got(text('sess_98cd has notes'))).toEqual(text('sess_12ab has notes'));
  });

  it('is a placeholder where the recorded one was redacted', () => {
    const { sent } = learned([answer({ token: '[redacted:token:1]' }), answer({ token: 'ghp_secret' })]);
    expect(sent(call(2, 'read', { token: '[redacted:token:1]' }))).toEqual(call(2, 'read', { token: 'ghp_secret' }));
  });

  it('is a number where the redacted one was a number', () => {
    const { sent } = learned([answer({ account: '[redacted:account:1]' }), answer({ account: 40718823 })]);
    expect(sent(call(2, 'read', { account: '[redacted:account:1]' }))).toEqual(call(2, 'read', { account: 40718823 }));
  });

  it('is a placeholder inside a text, unless the live value is so short that it occurs by chance', () => {
    const [TOKEN, PIN] = ['[redacted:token:1]', '[redacted:pin:1]'];
    const { sent, got } = learned([text(`Token ${TOKEN}, pin ${PIN}.`), text('Token ghp_secret, pin 42.')]);
    expect(sent(call(2, 'read', { token: `Bearer ${TOKEN}`, pin: PIN }))).toEqual(
      call(2, 'read', { token: 'Bearer ghp_secret', pin: PIN }),
    );
    expect(got(text('ghp_secret has 42 notes'))).toEqual(text(`${TOKEN} has 42 notes`));
  });

  it('is a cursor or the id of a task, however short, in its place alone', () => {
    const { sent } = learned([
      answer({ tools: [], nextCursor: 'a' }),
      answer({ tools: [], nextCursor: 'b' }),
      request(1, 'tools/list'),
    ]);
    expect(sent(request(2, 'tools/list', { cursor: 'a' }))).toEqual(request(2, 'tools/list', { cursor: 'b' }));
    expect(sent(call(2, 'read', { cursor: 'a' }))).toEqual(call(2, 'read', { cursor: 'a' }));
  });
});

describe('no id', () => {
  it.each([
    [
      'is a value that the live answer has, too',
      answer(['id-11111', 'id-22222']),
      answer(['id-22222', 'id-11111']),
      'id-11111',
    ],
    ['is a date', text('2026-01-02'), text('2026-03-04'), '2026-01-02'],
    ['is a short value', answer({ n: 'a1' }), answer({ n: 'b2' }), 'a1'],
    ['is a word', answer({ state: 'waiting' }), answer({ state: 'finished' }), 'waiting'],
  ])('%s', (_name, recorded, live, value) => {
    expect(learned([recorded, live]).sent(call(2, 'read', { value }))).toEqual(call(2, 'read', { value }));
  });

  it('is a value that stands for two live ones, or two for one', () => {
    const two = learned(
      [answer({ v: 'id-11111' }), answer({ v: 'id-22222' })],
      [answer({ v: 'id-11111' }), answer({ v: 'id-33333' })],
    );
    expect(two.sent(call(2, 'read', { v: 'id-11111' }))).toEqual(call(2, 'read', { v: 'id-11111' }));
    expect(two.got(answer({ v: 'id-22222' }))).toEqual(answer({ v: 'id-22222' }));
    const one = learned(
      [answer({ v: 'id-11111' }), answer({ v: 'id-33333' })],
      [answer({ v: 'id-22222' }), answer({ v: 'id-33333' })],
    );
    expect(one.sent(call(2, 'read', { v: 'id-11111' }))).toEqual(call(2, 'read', { v: 'id-11111' }));
  });
});
