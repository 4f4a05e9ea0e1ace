import { expect, it } from 'vitest';
import { SessionFeed } from '../../../../src/html-report/browser/live/session-feed.ts';
import { sessionHead, sessionView } from '../../../../src/html-report/data/session-view.ts';
import { call, cassette, client, result, server } from '../../../support/conversation.ts';

const session = cassette(client(call(1, 'a')), server(result(1, 'x')));
const { items } = sessionView(session);
const [request, response] = items;
const update = { name: 'a.yaml', edition: 0, items: [], outcomes: [], hasMore: false };

it('a session is built from its updates, and an outcome replaces the one before', () => {
  const feed = new SessionFeed();
  expect(feed.view()).toBeUndefined();
  const { answer: _answer, fate: _fate, took: _took, ...pending } = request!;
  expect(feed.take({ ...update, head: sessionHead(session), items: [pending], hasMore: true })).toBe(true);
  expect(feed.hasMore).toBe(true);
  const { fate, took, answer } = request!;
  const outcome = {
    ...(fate && { fate }),
    ...(took !== undefined && { took }),
    ...(answer !== undefined && { answer }),
  };
  expect(feed.take({ ...update, items: [response!], outcomes: [[0, outcome]] })).toBe(false);
  expect(feed.view()).toEqual(sessionView(session));
});

it('another edition replaces all items, and keeps the head', () => {
  const feed = new SessionFeed();
  feed.take({ ...update, head: sessionHead(session), items });
  expect(feed.take({ ...update, edition: 1, items: [request!] })).toBe(true);
  expect([feed.items.length, feed.view()?.title]).toEqual([1, 'cassette.yaml']);
});
