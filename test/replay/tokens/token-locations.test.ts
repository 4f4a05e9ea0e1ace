import { describe, expect, it } from 'vitest';
import { META } from '../../../src/protocol/meta.ts';
import {
  issuedInRequest,
  issuedInResponse,
  referencedIn,
  type TokenLocation,
} from '../../../src/replay/tokens/token-locations.ts';
import { call, cancel, notification, progress, request, result } from '../../support/conversation.ts';

const shown = (places: readonly TokenLocation[]) => places.map(({ path, kind }) => `${path.join('/')}: ${kind}`);
const related = `result/_meta/${META.relatedTask}/taskId: task`;

describe('what one side mints', () => {
  it('in a request, is its id and progress token; a listen’s id also names the subscription', () => {
    expect(shown(issuedInRequest(call(0, 'a')))).toEqual(['id: id', 'params/_meta/progressToken: token']);
    expect(shown(issuedInRequest(request(0, 'subscriptions/listen')))).toContain('id: listen');
  });

  it('in a response, is known by what was asked: each list has cursors, each subject states of its own', () => {
    expect(shown(issuedInResponse(result(0, 'x'), request(0, 'tools/list'), []))).toContain(
      'result/nextCursor: cursor tools/list',
    );
    expect(shown(issuedInResponse(result(0, 'x'), call(0, 'a'), []))).toContain(
      'result/requestState: state tools/call "a"',
    );
  });
});

describe('what the other side repeats', () => {
  it('in a request, is the cursor, the state, and the task that a task method asks for', () => {
    expect(shown(referencedIn(request(0, 'tasks/get', { taskId: 't' }), undefined, []))).toContain(
      'params/taskId: task',
    );
    expect(shown(referencedIn(call(0, 'a', { taskId: 't' }), undefined, []))).toEqual([
      'params/cursor: cursor tools/call',
      'params/requestState: state tools/call "a"',
    ]);
  });

  it('in a listen, is every task in its filter', () => {
    const listen = request(0, 'subscriptions/listen', { notifications: { taskIds: ['s', 't'] } });
    expect(shown(referencedIn(listen, undefined, []))).toEqual(
      expect.arrayContaining([0, 1].map((n) => `params/notifications/taskIds/${n}: task`)),
    );
  });

  it('in a response, is the id, and the task in whose name it was asked, but not the task that it is of', () => {
    expect(shown(referencedIn(result(0, 'x'), request(0, 'elicitation/create'), []))).toContain(related);
    expect(shown(referencedIn(result(0, 'x'), request(0, 'tasks/result'), []))).not.toContain(related);
  });

  it('in a notification, is the progress token or the subscription; a cancel names only a subscription', () => {
    expect(shown(referencedIn(progress('p', 1), undefined, []))).toEqual(['params/progressToken: token']);
    expect(shown(referencedIn(cancel(1), undefined, []))).toEqual(['params/requestId: listen']);
    expect(shown(referencedIn(notification('tools/list_changed'), undefined, []))).toEqual([
      `params/_meta/${META.subscriptionId}: listen`,
    ]);
  });

  it('in what is no message, is nothing', () => {
    expect(referencedIn({} as never, undefined, [])).toEqual([]);
  });
});

describe('a handle of the user’s own', () => {
  const handle = { capture: '/result/content/0/basket', use: '/params/arguments/list/1' };

  it('is captured where its pointer leads, through lists too', () => {
    const response = { id: 0, result: { content: [{ basket: 'b' }] } };
    expect(issuedInResponse(response, call(0, 'a'), [handle]).at(-1)).toEqual({
      path: ['result', 'content', 0, 'basket'],
      kind: 'user 0',
    });
  });

  it('is used where its pointer leads; a key that looks like an index stays a key', () => {
    const lists = call(1, 'b', { list: ['x', 'b'] });
    const keys = call(1, 'b', { list: { 1: 'b' } });
    expect([lists, keys].map((message) => referencedIn(message, undefined, [handle]).at(-1)?.path.at(-1))).toEqual([
      1,
      '1',
    ]);
  });
});
