import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type MessageEntry } from '../../../src/cassette/split-batches-into-entries.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { ReturnedValueRewriter, returnedValues } from '../../../src/replay/tokens/returned-values.ts';
import { call, cassette, client, request, server } from '../../support/conversation.ts';

const answer = (id: number, value: object) => ({ jsonrpc: '2.0', id, result: value });

/** What the client of a recorded session sends in its last request to a server that answers the one before so. */
function sentAfter(
  frames: readonly ReturnType<typeof client>[],
  live: object,
  rules: string[] = [],
): Record<string, unknown> {
  const entries = eventsToEntries(cassette(...frames).events) as MessageEntry[];
  const rewriter = new ReturnedValueRewriter(returnedValues(entries, correlateEntries(entries)));
  const [last] = entries.slice(-1);
  const beside = rules.length > 0 ? { match: { ignore: rules } } : {};
  rewriter.learn({ ...entries.at(-2)!, ...beside }, new JsonText(JSON.stringify(answer(1, live))));
  return JSON.parse(rewriter.apply(last!, last!.json.text)).params;
}

/** The same for one call of `order`, whose result has these members, and one of `status` with these arguments. */
const sent = (recorded: object, args: object, live: object) =>
  sentAfter([client(call(1, 'order')), server(answer(1, recorded)), client(call(2, 'status', { ...args }))], live)
    .arguments;

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const data = (structuredContent: object) => ({ structuredContent });

describe('a redacted value that an answer returned and a later request sends', () => {
  const [TOKEN, OTHER] = ['[redacted:token:1]', '[redacted:name:1]'];

  it.each<[string, object, object, object, object]>([
    ['as a whole', data({ token: TOKEN }), { token: TOKEN }, data({ token: 'xY7q' }), { token: 'xY7q' }],
    ['with blanks', data({ token: TOKEN }), { token: TOKEN }, data({ token: 'red car' }), { token: 'red car' }],
    ['as a number', data({ token: TOKEN }), { token: TOKEN }, data({ token: 4821 }), { token: 4821 }],
    ['from a text', text(`Token ${TOKEN}.`), { token: TOKEN }, text('Token xY7q-1.'), { token: 'xY7q-1' }],
    [
      'from a text with other secrets',
      text(`Hello ${OTHER}, use ${TOKEN}`),
      { token: TOKEN },
      text('Hello Ada, use xY7q-1'),
      { token: 'xY7q-1' },
    ],
    [
      'in a text',
      data({ token: TOKEN }),
      { auth: `Bearer ${TOKEN}`, uri: `crm://${TOKEN}/1` },
      data({ token: 'xY7q' }),
      { auth: 'Bearer xY7q', uri: 'crm://xY7q/1' },
    ],
  ])('is sent with the live value %s', (_, recorded, args, live, expected) => {
    expect(sent(recorded, args, live)).toEqual(expected);
  });
});

describe('a value that an answer returned and a later request sends', () => {
  it.each<[string, object, object, object, object]>([
    [
      'a member of structured content',
      data({ id: 'ord_8f3a' }),
      { id: 'ord_8f3a' },
      data({ id: 'ord_11c9' }),
      { id: 'ord_11c9' },
    ],
    [
      'an id without a digit, live',
      text('Order ord_8f3a.'),
      { id: 'ord_8f3a' },
      text('Order ord_abcd.'),
      { id: 'ord_abcd' },
    ],
    [
      'a UUID in a sentence',
      text('Created 0a0b0c0d-1111-2222-3333-444455556666 in 12 ms'),
      { order: '0a0b0c0d-1111-2222-3333-444455556666' },
      text('Created ffffffff-1111-2222-3333-444455556666 in 7 ms'),
      { order: 'ffffffff-1111-2222-3333-444455556666' },
    ],
    [
      'a member of JSON in a text',
      text('{"orderId":"A-77120","items":3}'),
      { orderId: 'A-77120' },
      text('{"orderId":"A-90001","items":3}'),
      { orderId: 'A-90001' },
    ],
    [
      'a number',
      data({ ticket: 4_711_001 }),
      { ticket: 4_711_001, copies: 2 },
      data({ ticket: 5_000_002 }),
      { ticket: 5_000_002, copies: 2 },
    ],
    [
      'a number, sent as a text',
      data({ ticket: 4_711_001 }),
      { ticket: 'no. 4711001' },
      data({ ticket: 5_000_002 }),
      { ticket: 'no. 5000002' },
    ],
    [
      'in a list of arguments',
      data({ a: 'file-77aa1', b: 'file-77aa2' }),
      { files: ['file-77aa2', 'x', 'file-77aa1'] },
      data({ a: 'file-00bb1', b: 'file-00bb2' }),
      { files: ['file-00bb2', 'x', 'file-00bb1'] },
    ],
    [
      'a random id without a digit',
      data({ id: 'xKqWvBnMzR' }),
      { id: 'xKqWvBnMzR' },
      data({ id: 'aBcDeFgHiJ' }),
      { id: 'aBcDeFgHiJ' },
    ],
    [
      'an id with a short part before a hyphen',
      text('Cart h-m8eIfnRhUP6j3K'),
      { id: 'h-m8eIfnRhUP6j3K' },
      text('Cart q-77aa88bb'),
      { id: 'q-77aa88bb' },
    ],
    [
      'an id in base64',
      text('Order T/ucA1jqjLb+P9j2ow== is placed.'),
      { id: 'T/ucA1jqjLb+P9j2ow==' },
      text('Order /+abc/defgh+ijklm== is placed.'),
      { id: '/+abc/defgh+ijklm==' },
    ],
    [
      'letters of both cases in a text',
      text('Order aBcDefGhijKlAbCd'),
      { q: 'state of aBcDefGhijKlAbCd' },
      text('Order QwErTzUiOpAsDfGh'),
      { q: 'state of QwErTzUiOpAsDfGh' },
    ],
    [
      'letters of both cases in JSON in a text',
      text('{"orderId":"aBcDefGhijKlAbCd","items":3}'),
      { id: 'aBcDefGhijKlAbCd' },
      text('{"orderId":"QwErTzUiOpAsDfGh","items":3}'),
      { id: 'QwErTzUiOpAsDfGh' },
    ],
    [
      'an id in structured content, where the text beside it is another one',
      { ...text('Placed ord_8f3a, thanks'), ...data({ id: 'ord_8f3a' }) },
      { id: 'ord_8f3a' },
      { ...text('Thank you!'), ...data({ id: 'ord_11c9' }) },
      { id: 'ord_11c9' },
    ],
  ])('%s is sent as the live server returned it', (_, recorded, args, live, expected) => {
    expect(sent(recorded, args, live)).toEqual(expected);
  });

  it.each<[string, object, object, object]>([
    ['short numbers are equal by chance', data({ count: 12 }), { size: 12 }, data({ count: 13 })],
    ['words are no ids', data({ format: 'markdown' }), { format: 'markdown' }, data({ format: 'html' })],
    [
      'the live answer has it elsewhere',
      data({ ids: ['id-10001', 'id-10002'] }),
      { id: 'id-10001' },
      data({ ids: ['id-10002', 'id-10001'] }),
    ],
    ['the text around it differs', text('Order ord_8f3a.'), { id: 'ord_8f3a' }, text('No stock: ord_0000 is out.')],
    [
      'the live answer has a sentence there',
      data({ id: 'ord_8f3a' }),
      { id: 'ord_8f3a' },
      data({ id: 'not available today' }),
    ],
    ['the live answer has nothing there', data({ id: 'ord_8f3a' }), { id: 'ord_8f3a' }, text('sorry')],
    ['the live answer has an object there', data({ id: 'ord_8f3a' }), { id: 'ord_8f3a' }, data({ id: { no: 1 } })],
  ])('is sent as recorded where %s', (_, recorded, args, live) => {
    expect(sent(recorded, args, live)).toEqual(args);
  });

  it('is sent as recorded where the live server returned no whole id, and not with a live part', () => {
    const recorded = { ...text('Cart h-m8eIfnRh'), ...data({ part: 'm8eIfnRh' }) };
    const live = { ...text('no cart'), ...data({ part: 'x9x9x9x9' }) };
    expect(sent(recorded, { id: 'h-m8eIfnRh' }, live)).toEqual({ id: 'h-m8eIfnRh' });
  });

  it('is what a rule beside the answer covers as a whole', () => {
    const id = (value: string) => text(`refs/${value}/head`);
    const frames = [
      client(call(1, 'order')),
      server(answer(1, id('ab12cd'))),
      client(call(2, 'status', { id: 'ab12cd' })),
    ];
    expect(sentAfter(frames, id('ab/head/34')).arguments).toEqual({ id: 'ab' });
    expect(sentAfter(frames, id('ab/head/34'), [String.raw`/refs\/.*\/head/`]).arguments).toEqual({ id: 'ab/head/34' });
  });

  it('is sent as recorded if the client sent it first', () => {
    const args = { id: 'ord_8f3a' };
    const frames = [
      client(call(0, 'status', args)),
      server(answer(0, text('none'))),
      client(call(1, 'order', args)),
      server(answer(1, data(args))),
      client(call(2, 'status', args)),
    ];
    expect(sentAfter(frames, data({ id: 'ord_9999' })).arguments).toEqual(args);
  });

  it('is sent as recorded if a list of the server names it, as the values of an enum', () => {
    const args = { region: 'us-east-1' };
    const frames = [
      client(request(0, 'tools/list')),
      server(answer(0, { tools: [{ inputSchema: { properties: { region: { enum: ['us-east-1', 'eu-west-1'] } } } }] })),
      client(call(1, 'order')),
      server(answer(1, data(args))),
      client(call(2, 'status', args)),
    ];
    expect(sentAfter(frames, data({ region: 'eu-west-1' })).arguments).toEqual(args);
  });

  describe('that only a list returned', () => {
    const [ONE, TWO, NEW, OTHER] = [
      'doc://efd85924-e97d-43ed-8d95-217951a23afd',
      'doc://04516396-3c17-48f3-a417-6166bd6203b0',
      'doc://514dbbfe-0114-4557-9dc8-e43a601e3439',
      'doc://6516f4ae-5110-4325-8901-d724856d62bb',
    ];
    const items = (...all: [name: unknown, uri: string][]) => ({
      resources: all.map(([name, uri]) => ({ name, uri })),
    });
    const read = (uri: string, recorded: object, live: object) =>
      sentAfter(
        [
          client(request(1, 'resources/list')),
          server(answer(1, recorded)),
          client(request(2, 'resources/read', { uri })),
        ],
        live,
      ).uri;
    const two = items(['tea', ONE], ['milk', TWO]);

    it('is sent as the live list has it in the same place, if it has a UUID', () => {
      expect(read(ONE, two, items(['tea', NEW], ['milk', OTHER]))).toBe(NEW);
      expect(read(TWO, two, items(['tea', NEW], ['milk', OTHER]))).toBe(OTHER);
      expect(read(`${ONE}/lines`, two, items(['tea', NEW], ['milk', OTHER]))).toBe(`${NEW}/lines`);
    });

    it('is sent as recorded where the live list has another item, none, or the recorded value elsewhere', () => {
      expect(read(ONE, two, items(['rice', NEW], ['tea', OTHER]))).toBe(ONE);
      expect(read(TWO, two, items(['tea', NEW]))).toBe(TWO);
      expect(read(ONE, two, items(['tea', TWO], ['milk', ONE]))).toBe(ONE);
      expect(read(ONE, two, items([7, NEW], ['milk', OTHER]))).toBe(ONE);
    });

    it('may be the item of a name that has an id, too', () => {
      const named = (id: string, uri: string) => items([`Note 4${id} of Ada`, uri]);
      expect(read(ONE, named('7', ONE), named('81', NEW))).toBe(NEW);
      expect(read(ONE, named('7', ONE), items(['Note 481 of Bob', NEW]))).toBe(ONE);
    });

    it('is sent as recorded if it is no id by its form: it is a part of the interface', () => {
      expect(read('file:///guide-2', items(['a', 'file:///guide-2']), items(['a', 'file:///guide-3']))).toBe(
        'file:///guide-2',
      );
    });
  });

  it('is sent as this run has it if it is a secret, whatever answer returned it', () => {
    const placeholder = '[redacted:customer:1]';
    const frames = [
      client(request(1, 'resources/list')),
      server(answer(1, { resources: [{ name: 'a', uri: `crm://${placeholder}` }] })),
      client(call(2, 'status', { customer: placeholder })),
    ];
    const live = { resources: [{ name: 'a', uri: 'crm://CUST-7' }] };
    expect(sentAfter(frames, live).arguments).toEqual({ customer: 'CUST-7' });
  });

  it('is sent in the URI of a resource, and nowhere else in the message', () => {
    const frames = [
      client(call(1, 'ord_8f3a')),
      server(answer(1, data({ id: 'ord_8f3a' }))),
      client({ jsonrpc: '2.0', id: 'ord_8f3a', method: 'resources/read', params: { uri: 'orders://ord_8f3a/lines' } }),
    ];
    expect(sentAfter(frames, data({ id: 'ord_1111' }))).toEqual({ uri: 'orders://ord_1111/lines' });
  });
});
