import { describe, expect, it } from 'vitest';
import { VOLATILE } from '../../../src/match/default-ignore-pointers.ts';
import { META } from '../../../src/protocol/meta.ts';
import {
  compareServerMessages,
  progressSteps,
  serverRequestSteps,
} from '../../../src/verify/compare/compare-server-messages.ts';
import {
  call,
  cancel,
  cassette,
  client,
  notification,
  progress,
  request,
  result,
  server,
} from '../../support/conversation.ts';
import { live } from '../live.ts';

const log = (data: string) => notification('message', { data });
const isCalled = (name: string) => (said: { method?: string }) => said.method === `notifications/${name}`;

describe('compareServerMessages', () => {
  const logged = cassette(client(call(1, 'a')), server(log('one')), server(result(1, 'A')));

  it('passes what came, and compares what it says', async () => {
    expect(compareServerMessages((await live(logged)).driven, [])).toEqual([
      { title: 'notifications/message', line: 2, status: 'passed' },
    ]);
    const { driven } = await live(logged, (said) => [isCalled('message')(said) ? log('two') : said]);
    expect(compareServerMessages(driven, [])).toMatchObject([
      { status: 'failed', headline: '/params/data ("one" → "two")', recorded: log('one'), live: log('two') },
    ]);
    expect(compareServerMessages(driven, ['/params/data'])).toMatchObject([{ status: 'passed' }]);
  });

  it('fails what did not come', async () => {
    const { driven } = await live(logged, (said) => (isCalled('message')(said) ? [] : [said]));
    expect(compareServerMessages(driven, [])).toMatchObject([
      { line: 2, status: 'failed', headline: 'dropped: this notification did not come' },
    ]);
  });
});

describe('a notification of a subscription', () => {
  const listen = (id: string, uri: string) =>
    client(request(id, 'subscriptions/listen', { notifications: { resourceSubscriptions: [uri, 'x://all'] } }));
  const of = (id: unknown, method: string, params: object = {}) =>
    notification(method, { ...params, _meta: { [META.subscriptionId]: id } });
  const updated = (id: unknown, uri: string) => of(id, 'resources/updated', { uri });
  const recorded = cassette(
    listen('l:1', 'x://1'),
    server(of('l:1', 'subscriptions/acknowledged', { notifications: { a: 1 } })),
    listen('l:2', 'x://2'),
    server(of('l:2', 'subscriptions/acknowledged', { notifications: { b: 1 } })),
    client(call(1, 'a')),
    server(updated('l:1', 'x://1')),
    server(updated('l:2', 'x://2')),
    server(updated('l:1', 'x://all')),
    server(updated('l:2', 'x://all')),
    server(result(1, 'A')),
  );
  const headlines = async (from: object, to: object) => {
    const { driven } = await live(recorded, (said) => [JSON.stringify(said) === JSON.stringify(from) ? to : said]);
    return compareServerMessages(driven, VOLATILE).flatMap(({ headline }) => headline ?? []);
  };

  it('passes with the id of its subscription, in any order', async () => {
    const { driven } = await live(recorded);
    expect(compareServerMessages(driven, VOLATILE).map(({ status }) => status)).toEqual(Array(6).fill('passed'));
    expect(await headlines(updated('l:1', 'x://all'), updated('l:2', 'x://all'))).toEqual([]);
  });

  it.each([
    ['l:77', '"l:77"'],
    ['l:2', '"l:2"'],
    [1, '1'],
  ])('fails with the id %j, which is that of another request', async (id, shown) => {
    expect(await headlines(updated('l:1', 'x://1'), updated(id, 'x://1'))).toEqual([
      `it names the subscription ${shown}, and not "l:1", which it is for`,
    ]);
  });
});

describe('progressSteps', () => {
  const reports = [server(progress(7, 1)), server(progress(7, 2))];
  const working = cassette(client(call(1, 'a', {}, 7)), ...reports, server(result(1, 'A')));

  it('counts reports, and does not read them', async () => {
    const { driven } = await live(working, (said) => [isCalled('progress')(said) ? progress(7, 50) : said]);
    expect(progressSteps(driven)).toEqual([]);
  });

  it('fails a call that reported less', async () => {
    const { driven } = await live(working, (said) => (said.params?.progress === 2 ? [] : [said]));
    expect(progressSteps(driven)).toEqual([
      {
        title: 'progress of tools/call "a"',
        line: 1,
        status: 'failed',
        headline: 'missing progress: 1 of 2 reports came',
      },
    ]);
  });

  it('asks nothing of a call that was cancelled', async () => {
    const cancelled = cassette(client(call(1, 'a', {}, 7)), ...reports, client(cancel(1)));
    const { driven } = await live(cancelled, (said) => (said.params?.progress === 2 ? [] : [said]));
    expect(progressSteps(driven)).toEqual([]);
  });
});

describe('serverRequestSteps', () => {
  const question = request('q', 'sampling/createMessage', { messages: ['How are you?'] });
  const asked = cassette(
    client(call(1, 'a')),
    server(question),
    client({ jsonrpc: '2.0', id: 'q', result: {} }),
    server(result(1, 'A')),
  );

  it('passes in silence what the server asked in the cassette', async () => {
    expect(serverRequestSteps((await live(asked)).driven, VOLATILE)).toEqual([]);
  });

  it('fails a question that the cassette does not have, with the closest that it has', async () => {
    const other = request('q', 'sampling/createMessage', { messages: ['Who are you?'] });
    const { driven } = await live(asked, (said) => [said.id === 'q' ? other : said]);
    const [step] = serverRequestSteps(driven, VOLATILE);
    expect(step).toMatchObject({ title: 'a request of the server', status: 'failed' });
    expect(step!.headline).toContain('Cannot answer sampling/createMessage');
    expect(step!.details!.join()).toContain('cassette.yaml:2');
  });

  it('fails a question that the server did not ask', async () => {
    const { driven } = await live(asked, (said) => [said.id === 'q' ? result(1, 'A') : said]);
    expect(serverRequestSteps(driven, VOLATILE)).toEqual([
      {
        title: 'sampling/createMessage',
        line: 2,
        status: 'failed',
        headline: 'dropped: the server did not ask this',
      },
    ]);
  });

  describe('to open a URL', () => {
    const open = (url: string, elicitationId = 'e1', more = {}) =>
      request('q', 'elicitation/create', { mode: 'url', message: 'Log in', url, elicitationId, ...more });
    const bank = cassette(
      client(call(1, 'a')),
      server(open('https://bank.example/login?id=e1')),
      client({ jsonrpc: '2.0', id: 'q', result: { action: 'accept' } }),
      server(result(1, 'A')),
    );
    const steps = async (other: object) =>
      serverRequestSteps((await live(bank, (said) => [said.id === 'q' ? other : said])).driven, VOLATILE);

    it('passes with another id of its own', async () => {
      expect(await steps(open('https://bank.example/login?id=e2', 'e2'))).toEqual([]);
    });

    it('fails with another URL, and with params that it had not', async () => {
      expect(await steps(open('https://evil.example/login?id=e1'))).toMatchObject([
        { title: 'elicitation/create', line: 2, status: 'failed', headline: expect.stringContaining('/params/url') },
      ]);
      expect(await steps(open('https://bank.example/login?id=e1', 'e1', { hurry: true }))).toHaveLength(1);
    });
  });
});
