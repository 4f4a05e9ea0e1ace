import { describe, expect, it } from 'vitest';
import { META } from '../../../src/protocol/meta.ts';
import {
  call,
  cassette as cassetteOf,
  client,
  type PlayOptions,
  play,
  request,
  result,
  server,
} from '../../support/conversation.ts';

const requestedSchema = {
  type: 'object',
  properties: { people: { type: 'integer' } },
  required: ['people'],
};
const form = { message: 'How many?', requestedSchema };
const accept = (content?: unknown) => ({ action: 'accept', ...(content !== undefined && { content }) });
const BAD = 'has answered elicitation/create with a bad result: ';

/** Texts of what is found where the live client says `messages`. */
function found(cassette: Parameters<typeof play>[0], messages: unknown[], options: PlayOptions): string[] {
  const session = play(cassette, options);
  session.says(...messages);
  session.clock.advance(1);
  session.player.finish();
  return session.findings.map(({ text, breaksProtocol = false }) => `${breaksProtocol ? 'bad: ' : ''}${text}`);
}

describe('an answer that ignore rules allow to differ', () => {
  const answers = (outcome: unknown) => ({ jsonrpc: '2.0', id: 0, result: outcome });
  const session = (recorded: unknown) =>
    cassetteOf(
      client(call(1, 'ask')),
      server(request(0, 'elicitation/create', form)),
      client(answers(recorded)),
      server(result(1, 'booked')),
    );
  const live = (outcome: unknown, recorded: unknown = accept({ people: 4 })) =>
    found(session(recorded), [call(1, 'ask'), answers(outcome)], { ignore: ['/result/action', '/result/content'] });

  it.each([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['has another value of the form', accept({ people: 5 })],
  ])('passes if it %s', (_, outcome) => expect(live(outcome)).toEqual([]));

  it.each([
    ['declines with the content of the form', { action: 'decline', content: { people: 3 } }, 'its content has people'],
    ['has a value that the form forbids', accept({ people: 'four' }), 'its content does not fit the schema'],
    ['has no value that the form requires', accept(), 'its content does not fit the schema'],
    ['has no action of MCP', { action: 'agree' }, 'its action is "agree"'],
  ])('is reported if it %s', (_, outcome, problem) => {
    expect(live(outcome)).toEqual([expect.stringMatching(`^bad: cassette.yaml:3 The client ${BAD}${problem}`)]);
  });

  it('passes if the recorded one has the same problem: the server was content with it', () => {
    expect(live(accept(), accept())).toEqual([]);
    expect(live({ action: 'agree' }, accept())).toHaveLength(1);
  });
});

describe('an answer in the retry of a request (2026-07-28)', () => {
  const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: { elicitation: {} } };
  const book = (id: number, more: object = {}) => request(id, 'tools/call', { name: 'book', _meta, ...more });
  const retry = (answer: unknown, requestState = 'one') => book(2, { inputResponses: { how: answer }, requestState });
  const session = cassetteOf(
    client(book(1)),
    server({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'input_required',
        inputRequests: { how: { method: 'elicitation/create', params: form } },
        requestState: 'one',
      },
    }),
    client(retry(accept({ people: 4 }))),
    server(result(2, 'booked')),
  );
  const live = (answer: unknown) =>
    found(session, [book(1), retry(answer)], { ignore: ['/params/inputResponses/how/content'] });

  it('passes if it fits the form', () => expect(live(accept({ people: 5 }))).toEqual([]));

  it('is reported if it does not', () => {
    expect(live(accept({ people: 'four' }))).toEqual([
      expect.stringMatching(
        `^bad: cassette.yaml:3 The client ${BAD}its content does not fit the schema of the request`,
      ),
    ]);
  });
});
