import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { META } from '../../../src/protocol/meta.ts';
import { failedSteps, type Step } from '../../../src/text-report/outcome-model.ts';
import { type CompareOptions, compareSession } from '../../../src/verify/compare/compare-session.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  notification,
  progress,
  request,
  result,
  server,
} from '../../support/conversation.ts';
import { type Edit, live } from '../live.ts';

const session = cassette(
  client(request(0, 'initialize')),
  server({ jsonrpc: '2.0', id: 0, result: { serverInfo: { name: 's', version: '1' } } }),
  client(call(1, 'work', {}, 7)),
  server(progress(7, 1)),
  server(progress(7, 2)),
  server(result(1, 'done')),
  client(call(2, 'add')),
  server(notification('message', { data: 'adding' })),
  server(result(2, 'sum')),
  clientCloses,
);

async function outcome(edit?: Edit, options: Omit<Partial<CompareOptions>, 'driven'> = {}) {
  const { driven } = await live({ ...session, end: 'complete' }, edit);
  return compareSession({ file: 'cassette.yaml', driven, ...options });
}

const failed = ({ steps }: { steps: readonly Step[] }) =>
  steps.filter(({ status }) => status === 'failed').map(({ title, headline }) => `${title}: ${headline}`);

describe('compare', () => {
  it('passes a server that says what it said, and names what was checked in the order of the cassette', async () => {
    const { steps, notes, title, file } = await outcome();
    expect([title, file, notes]).toEqual(['verify', 'cassette.yaml', []]);
    expect(steps.map(({ title, line, status }) => `${line} ${title} ${status}`)).toEqual([
      '1 initialize passed',
      '3 tools/call "work" passed',
      '7 tools/call "add" passed',
      '8 notifications/message passed',
    ]);
  });

  it.each([[['/result']], [['/result/*']], [['/result', '/error']]])(
    'fails rules that leave nothing: %j',
    async (ignore) => {
      expect(failed(await outcome(undefined, { ignore }))).toEqual([
        'the answers: nothing is compared: the ignore rules leave nothing of any answer',
      ]);
    },
  );

  it('passes rules that leave something of one answer', async () => {
    expect(failed(await outcome(undefined, { ignore: ['/result/content'] }))).toEqual([]);
  });

  it('fails a recording that was cut short with strict, and no other', async () => {
    const failures = async (played: Cassette, strict: boolean) => {
      const { driven } = await live(played);
      return failed(compareSession({ file: 'cassette.yaml', driven, strict }));
    };
    expect(await failures(session, true)).toEqual([
      expect.stringMatching(/^the cassette: the recording was cut short/),
    ]);
    expect(await failures(session, false)).toEqual([]);
    expect(await failures({ ...session, end: 'complete' }, true)).toEqual([]);
    const { recorder: _, ...header } = session.header;
    expect(await failures({ ...session, header }, true)).toEqual([]);
  });

  it('notes what the cassette answers though nobody asked, and not an answer that came again', async () => {
    const [A, resultA] = [call(1, 'a'), result(1, 'A')];
    const notes = async (again: unknown) => {
      const { driven } = await live(cassette(client(A), server(resultA), server(again), clientCloses));
      return compareSession({ file: 'cassette.yaml', driven }).notes.filter((note) =>
        note.startsWith('The cassette itself'),
      );
    };
    expect(await notes(resultA)).toEqual([]);
    expect(await notes(result(7, 'G'))).toEqual(['The cassette itself has answers without a request, at line 3.']);
  });

  it('notes of a call that differs that the client has not listed the tools, and so no severity is known', async () => {
    const other: Edit = (said) => (said.id === 2 ? [result(2, 'other')] : [said]);
    const note = expect.stringMatching(/ has no tools\/list: .* record tools\/list and tools\/call in one session\.$/);
    expect((await outcome(other)).notes).toEqual([note]);
    expect((await outcome()).notes).toEqual([]);
    const listed = [client(request(5, 'tools/list')), server({ jsonrpc: '2.0', id: 5, result: { tools: [] } })];
    const called = [client(call(2, 'add')), server(result(2, 'sum')), clientCloses];
    const { driven } = await live(cassette(...listed, ...called), other);
    const compared = compareSession({ file: 'cassette.yaml', driven });
    expect([failed(compared).length, compared.notes]).toEqual([1, []]);
  });

  it('leaves out what is ignored', async () => {
    const edit: Edit = (said) => (said.id === 2 ? [result(2, 'other')] : [said]);
    expect(failed(await outcome(edit))).toEqual(['tools/call "add": /result/text ("sum" → "other")']);
    expect(failed(await outcome(edit, { ignore: ['/result/text'] }))).toEqual([]);
  });

  it.each([2, 6, 8])('leaves out what the cassette says beside event %i, in no other answer', async (place) => {
    const twice = cassette(
      client(call(1, 'work')),
      server({ jsonrpc: '2.0', id: 1, result: { text: 'done', at: 'noon' } }),
      client(call(2, 'add')),
      server(notification('message', { data: 'adding' })),
      server({ jsonrpc: '2.0', id: 2, result: { text: 'sum', at: 'noon' } }),
      client(call(3, 'work')),
      server({ jsonrpc: '2.0', id: 3, result: { text: 'done', at: 'noon' } }),
      server(notification('message', { data: 'done' })),
      clientCloses,
    );
    const event = twice.events[place - 1]!;
    twice.events[place - 1] = { ...event, match: { ignore: ['/result/at', '/params/data'] } };
    const edit: Edit = (said) => {
      if ('method' in said) return [{ ...said, params: { ...(said.params as object), data: 'other' } }];
      return [{ ...said, result: { ...(said.result as object), at: 'midnight' } }];
    };
    const { driven } = await live(twice, edit);
    const found = compareSession({ file: 'cassette.yaml', driven }).steps.filter(({ status }) => status === 'failed');
    const all = [1, 3, 4, 6, 8];
    const ignored = place === 2 ? 1 : place;
    expect(found.map(({ line }) => line)).toEqual(all.filter((line) => line !== ignored));
  });

  it('leaves out what an expression beside an answer matches, in this answer only', async () => {
    const outcomeOf = async (ignore: string[]) => {
      const one = cassette(
        client(call(2, 'add')),
        server(result(2, 'sum of 5')),
        client(call(3, 'add')),
        server(result(3, 'sum of 5')),
      );
      one.events[1] = { ...one.events[1]!, match: { ignore } };
      const { driven } = await live(one, (said) => [
        result(said.id as number, said.id === 2 ? 'SUM of 6' : 'SUM of 5'),
      ]);
      return failed(compareSession({ file: 'cassette.yaml', driven }));
    };
    const [second] = (await outcomeOf(['/result/text'])).slice(-1);
    expect(await outcomeOf(['/sum/i'])).toEqual([
      'tools/call "add": /result/text ("[ignored] of 5" → "[ignored] of 6")',
      second,
    ]);
    expect(await outcomeOf(['/sum/i', '/\\d/'])).toEqual([second]);
  });

  it('notes a rule that matches nothing, also one beside an answer, and no rule of a part that is equal or gone', async () => {
    const one = cassette(client(call(2, 'add')), server(result(2, 'sum of 5')), clientCloses);
    const notesOf = async (own: string[], rules: string[] = [], edit?: Edit) => {
      one.events[1] = { ...one.events[1]!, match: { ignore: own } };
      const { driven } = await live(one, edit);
      const named = rules.map((rule) => ({ name: `--ignore '${rule}'`, rule }));
      const { notes } = compareSession({ file: 'a.yaml', driven, ignore: rules, named });
      return notes.filter((note) => !note.includes(' has no tools/list: '));
    };
    expect(await notesOf(['/result/txt', '/total/'], ['/result/x', '/result/text'])).toEqual([
      "--ignore '/result/x' matched nothing: is it misspelled?",
      "match: { ignore: ['/result/txt'] } (a.yaml:2) matched nothing: is it misspelled?",
      "match: { ignore: ['/total/'] } (a.yaml:2) matched nothing: is it misspelled?",
    ]);
    expect(await notesOf(['/result/text', '/sum/'], ['/id', '/params/name'])).toEqual([]);
    expect(
      await notesOf(['/result/x', '/other/'], ['/result/x'], () => [
        { ...result(2, 'other'), result: { text: 'other', x: 1 } },
      ]),
    ).toEqual([]);
    expect(await notesOf(['/result/x'], ['/result/y'], () => [])).toEqual([]);
  });

  it('leaves out what an expression matches, and tells of the rest', async () => {
    const edit =
      (text: string): Edit =>
      (said) =>
        said.id === 2 ? [result(2, text)] : [said];
    const ignore = [/su?m|total/];
    const outcomeOf = async (text: string) => {
      const { driven } = await live(session, edit(text));
      return failed(compareSession({ file: 'cassette.yaml', driven, ignore }));
    };
    expect(await outcomeOf('total')).toEqual([]);
    expect(await outcomeOf('total 5')).toEqual(['tools/call "add": /result/text ("[ignored]" → "[ignored] 5")']);
  });

  it('fails an answer that is slower than allowed', async () => {
    const found = failed(await outcome(undefined, { timeMax: -1 }));
    expect(found).toHaveLength(3);
    expect(found[0]).toMatch(/^initialize: slow: took \d+ ms, and -1 ms are allowed$/);
  });

  it('fails an answer that takes more than so many times as long as in the cassette', async () => {
    expect(failed(await outcome(undefined, { slower: 1000 }))).toEqual([]);
    const found = failed(await outcome(undefined, { slower: -1 }));
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^tools\/call "\w+": slower: took \d+ ms, and \d+ ms before$/);
  });

  it('notes that no answer was slow enough in the cassette to fail, unless there is a limit', async () => {
    const note = expect.stringMatching(/^No recorded answer took more than 100 ms, so that none below 200 ms fails/);
    expect((await outcome(undefined, { slower: 2 })).notes).toEqual([note]);
    expect((await outcome(undefined, { slower: 2, timeMax: 1000 })).notes).toEqual([]);
    expect((await outcome()).notes).toEqual([]);
  });

  it('tells of a crash once, and does not blame the server for what it could not say any more', async () => {
    const found = await outcome((said) => (said.id === 1 ? [exits('SIGSEGV')] : [said]));
    expect(failed(found)).toEqual(['tools/call "work": crashed: the server was ended by SIGSEGV before it answered']);
    expect(found.steps.filter(({ status }) => status === 'skipped').map(({ line }) => line)).toEqual([7, 8]);
  });

  it('notes another version, and notifications that the cassette does not have where none fails', async () => {
    const found = await outcome((said) => {
      if (said.id === 0) return [{ ...said, result: { serverInfo: { name: 's', version: '2' } } }];
      return said.id === 2 ? [notification('a'), notification('b'), notification('b'), said] : [said];
    });
    expect(failed(found)).toEqual([]);
    expect(found.notes).toEqual([
      'The server says that its version is 2; recorded was 1.',
      'The cassette does not have 3 notifications: notifications/a (1), notifications/b (2).',
    ]);
  });

  describe('a notification that the cassette does not have', () => {
    const CHATTER = ['message', 'progress', 'tasks/status'];
    const tells = (said: Parameters<Edit>[0]) =>
      said.id === 2 ? [...[...CHATTER, 'b', 'c', 'c'].map((method) => notification(method)), said] : [said];
    const allowed = (...methods: string[]) => ({
      allowed: { methods, option: (missing: readonly string[]) => `allow ${missing}` },
    });

    it('fails, but for logs, progress and others whose number varies, which are noted', async () => {
      const found = await outcome(tells, allowed());
      expect(failed(found)).toEqual([
        'notifications of the server: 3 that the cassette does not have: notifications/b (1), notifications/c (2)',
      ]);
      expect(found.notes).toEqual([
        `The cassette does not have 3 notifications: ${CHATTER.map((method) => `notifications/${method} (1)`).join(', ')}.`,
      ]);
      expect(failedSteps(found)[0]).toMatchObject({
        details: [
          'If the server is right, record the session again, or let it pass: allow notifications/b,notifications/c',
        ],
        changes: [
          { severity: 'compatible', reason: 'new notification notifications/b' },
          { severity: 'compatible', reason: 'new notification notifications/c' },
        ],
      });
    });

    it('passes where its method is allowed, and is noted', async () => {
      const found = await outcome(tells, { ...allowed('notifications/b', 'notifications/c') });
      expect(failed(found)).toEqual([]);
      expect(found.notes.join()).toContain('does not have 6 notifications: ');
      const one = await outcome((said) => (said.id === 2 ? [notification('b'), said] : [said]));
      expect(one.notes).toEqual(['The cassette does not have 1 notification: notifications/b (1).']);
    });

    it('fails with strict whatever it is, unless it is allowed', async () => {
      const found = await outcome(tells, { ...allowed('notifications/message'), strict: true });
      expect(failed(found)).toEqual([expect.stringMatching(/^notifications of the server: 5 that .*progress \(1\)/)]);
      expect(found.notes).toEqual(['The cassette does not have 1 notification: notifications/message (1).']);
    });
  });

  it('fails answers to no open request, and an answer that comes twice, and names the first few', async () => {
    const strays = Array.from({ length: 30 }, (_, id) => result(id + 100, ''));
    const found = await outcome((said) => (said.id === 2 ? [...strays, said, said] : [said]));
    expect(failed(found)).toEqual(['answers of the server: 31 that answer no open request']);
    expect(found.steps.find(({ title }) => title === 'answers of the server')?.details).toHaveLength(10);
  });

  it('notes answers to nothing that are in the cassette, and waits for none', async () => {
    const odd = cassette(
      server(result(5, 'to nothing')),
      client(call(1, 'a')),
      server(result(1, 'A')),
      server(result(1, 'B')),
    );
    const { driven } = await live(odd, (said) => [said.id === 1 ? result(1, 'A') : said]);
    const found = compareSession({ file: 'odd.yaml', driven });
    expect(failed(found)).toEqual([]);
    expect(found.notes).toContain('The cassette itself has answers without a request, at line 1, 4.');
    expect(driven.findings.filter(({ kind }) => kind === 'missing')).toEqual([]);
  });
});

describe('a subscription that the recorded client ended', () => {
  const _meta = { [META.subscriptionId]: 'listen:0' };
  const acknowledged = notification('subscriptions/acknowledged', { notifications: {}, _meta });
  const updated = notification('resources/updated', { uri: 'x://1', _meta });
  const listens = (...end: Frame[]) =>
    cassette(
      client(request('listen:0', 'subscriptions/listen', { notifications: {} })),
      server(acknowledged),
      client(call(1, 'work')),
      server(result(1, 'done')),
      server(updated),
      ...end,
    );
  const cancelled = listens(
    client(call(2, 'add')),
    server(result(2, 'sum')),
    client(cancel('listen:0')),
    client(call(3, 'end')),
    server(result(3, 'end')),
    clientCloses,
  );
  const ended = result('listen:0', 'over');
  const failedOf = async (recorded: Cassette, edit?: Edit) =>
    failed(compareSession({ file: 'cassette.yaml', driven: (await live(recorded, edit)).driven }));
  const afterUpdate: Edit = (said) => (said.method === updated.method ? [said, ended] : [said]);
  const after =
    (id: number, ...more: object[]): Edit =>
    (said) =>
      said.id === id ? [said, ...more] : [said];
  const difference =
    'subscriptions/listen: was answered, and so ended by the server; in the cassette it stayed open until the client left';

  it('passes while it stays open', async () => {
    expect(await failedOf(cancelled)).toEqual([]);
    expect(await failedOf(listens(clientCloses))).toEqual([]);
  });

  it('differs if the server answers it before the client cancels it, or leaves', async () => {
    expect(await failedOf(cancelled, afterUpdate)).toEqual([difference]);
    expect(
      await failedOf(listens(client(call(2, 'add')), server(result(2, 'sum')), clientCloses), after(1, ended)),
    ).toEqual([difference]);
    const error = { jsonrpc: '2.0', id: 'listen:0', error: { code: -32601, message: 'no' } };
    expect(await failedOf(cancelled, (said) => (said.method === acknowledged.method ? [said, error] : [said]))).toEqual(
      [difference],
    );
  });

  it('does not differ if the answer crosses the cancel', async () => {
    expect(await failedOf(cancelled, after(3, ended))).toEqual([]);
  });

  it('differs if the server cancels it before the client does', async () => {
    const headline =
      'subscriptions/listen: was cancelled by the server; in the cassette it stayed open until the client left';
    const afterUpdate: Edit = (said) => (said.method === updated.method ? [said, cancel('listen:0')] : [said]);
    expect(await failedOf(cancelled, afterUpdate)).toEqual([headline]);
    expect(await failedOf(listens(clientCloses), after(1, cancel('listen:0')))).toEqual([headline]);
    expect(await failedOf(cancelled, after(3, cancel('listen:0')))).toEqual([]);
    expect(await failedOf(cancelled, after(1, cancel('other'), cancel(1)))).toEqual([]);
  });

  it('differs if the final result of a server that ends it names another subscription', async () => {
    const over = (subscription: unknown) => ({
      ...result('listen:0', ''),
      result: { _meta: { [META.subscriptionId]: subscription } },
    });
    const recorded = listens(server(over('listen:0')), clientCloses);
    expect(await failedOf(recorded)).toEqual([]);
    expect(await failedOf(recorded, (said) => [said.id === 'listen:0' ? over('listen:1') : said])).toEqual([
      'subscriptions/listen: it names the subscription "listen:1", and not "listen:0", which it ends',
    ]);
  });

  it('says nothing of a call that was cancelled, which a faster server may answer', async () => {
    const slow = cassette(
      client(call(1, 'slow')),
      client(call(2, 'add')),
      server(result(2, 'sum')),
      client(cancel(1)),
      clientCloses,
    );
    expect(await failedOf(slow, after(2, result(1, 'done')))).toEqual([]);
  });
});
