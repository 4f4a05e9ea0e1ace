import { describe, expect, it } from 'vitest';
import { JsonText } from '../../src/protocol/json-text.ts';
import { HttpExchange } from '../../src/replay/http-exchange.ts';
import { notification, result } from '../support/conversation.ts';

function exchange(...ids: string[]) {
  const did: unknown[] = [];
  const reply = {
    answer: ({ status, body }: { status: number; body?: string }) => void did.push([status, body]),
    stream: () => void did.push('stream'),
    event: (message: string) => void did.push(JSON.parse(message)),
    end: () => void did.push('end'),
  };
  const one = new HttpExchange({ reply, ids, headers: {}, done: () => void did.push('done') });
  const say = (message: object, carried = {}) => one.say(new JsonText(JSON.stringify(message)), carried);
  return { one, say, did };
}

const [A, B, note] = [result(1, 'a'), result(2, 'b'), notification('message', { level: 'info', data: 1 })];

describe('an exchange', () => {
  it('with nothing but its answer is JSON, with the status of the tape', () => {
    const { say, did } = exchange('1');
    say(A, { status: 404 });
    expect(did).toEqual([[404, JSON.stringify(A)], 'done']);
  });

  it('is a stream where its answer was an event on tape', () => {
    const { say, did } = exchange('1');
    say(A, { sse: {} });
    expect(did).toEqual(['stream', A, 'end', 'done']);
  });

  it('is a stream where something goes before the answer, and ends with the answer', () => {
    const { say, did } = exchange('1');
    say(note);
    say(A);
    say(note);
    expect(did).toEqual(['stream', note, A, 'end', 'done']);
  });

  it('of a batch ends with the last answer', () => {
    const { one, say, did } = exchange('1', '2');
    say(B);
    expect(one.open).toEqual(['1']);
    say(A);
    expect(did).toEqual(['stream', B, A, 'end', 'done']);
  });

  it('that nobody listens to any more says nothing, and knows what it had not answered', () => {
    const { one, say, did } = exchange('1');
    one.drop();
    say(A);
    expect([did, one.open]).toEqual([[], ['1']]);
  });
});
