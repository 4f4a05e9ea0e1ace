import { expect, it } from 'vitest';
import { fewestPatterns, sharedPatterns } from '../../../src/verify/propose/fewest-patterns.ts';
import { proposePatterns } from '../../../src/verify/propose/propose-patterns.ts';

/** A text of two runs, in the event at a line, with its patterns. */
const text = (line: number, recorded: string, live: string) => ({
  difference: { path: `/${recorded}`, recorded, live },
  pointer: `/${recorded}`,
  place: { line },
  patterns: proposePatterns({ recorded: undefined, first: recorded, second: live })!,
});
const sources = (all: readonly { patterns: readonly { source: string }[] }[]) =>
  all.map(({ patterns }) => patterns.map(({ source }) => source));

it('one pattern is proposed for times after different words', () => {
  const placed = (item: string, first: string, second: string) =>
    text(3, `Order for ${item} was placed at ${first}`, `Order for ${item} was placed at ${second}`);
  const time = '[0-2]?\\d:[0-5]\\d:[0-5]\\d';
  const [tea, milk] = [placed('tea', '09:00:01', '09:00:02'), placed('milk', '10:00:01', '10:00:07')];
  expect(sources([tea, milk]).flat()).toEqual([`for tea was placed at ${time}`, `for milk was placed at ${time}`]);
  const shared = [`was placed at ${time}`];
  expect(sources(sharedPatterns([tea, milk]))).toEqual([shared, shared]);
  expect(sharedPatterns([tea, tea])).toEqual([tea, tea]);
  const ended = text(3, 'It ended at 09:00:01', 'It ended at 09:00:02');
  expect(sources(sharedPatterns([tea, ended]))).toEqual([sources([tea])[0], [`It ended at ${time}`]]);
});

it('one pattern is proposed for an id alone and in a text of the same event', () => {
  const [placed, alone] = [text(3, 'Order ord_1111', 'Order ord_2222'), text(3, 'ord_1111', 'ord_2222')];
  expect(sources([placed, alone])).toEqual([['Order ord_\\d+'], ['ord_\\d+']]);
  expect(sources(fewestPatterns([placed, alone]))).toEqual([['ord_\\d+'], ['ord_\\d+']]);
  const elsewhere = { ...alone, place: { line: 9 } };
  expect(fewestPatterns([placed, elsewhere])).toEqual([placed, elsewhere]);
});

it('one pattern is proposed for a UUID alone and in a text of the same event', () => {
  const [one, two] = ['9a1b84a8-c472-4a8f-b8d5-215d7bf05e57', '0c2d84a8-c472-4a8f-b8d5-215d7bf05e58'];
  const [alone, inText] = [text(3, one, two), text(3, `{"id":"${one}"}`, `{"id":"${two}"}`)];
  const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
  expect(sources([alone, inText])).toEqual([[`^${uuid}$`], [`"id":"${uuid}`]]);
  expect(sources(fewestPatterns([alone, inText]))).toEqual([[uuid], [uuid]]);
  expect(fewestPatterns([inText])).toEqual([inText]);
});

it('a pattern stays that no other one replaces', () => {
  const [order, user] = [text(3, 'Order ord_1111', 'Order ord_2222'), text(3, 'usr_1111', 'usr_2222')];
  expect(fewestPatterns([order, user])).toEqual([order, user]);
  const dated = text(3, 'Order ord_1111 of 2026-01-01', 'Order ord_2222 of 2026-01-02');
  expect(sources(fewestPatterns([dated, text(3, 'ord_1111', 'ord_2222')]))).toEqual([
    ['ord_\\d+', ' of \\d{4}-[01]\\d-[0-3]\\d'],
    ['ord_\\d+'],
  ]);
});

it('dates after many different texts have one pattern without text, which also covers those at other places', () => {
  const texts = ['Tea', 'Milk', 'Bread'].map((item, at) =>
    text(3, `${item} placed 2026-01-0${at + 1}`, `${item} placed 2026-02-0${at + 1}`),
  );
  const [form] = ['\\d{4}-[01]\\d-[0-3]\\d'];
  expect(sources(sharedPatterns([...texts, text(9, '2026-01-01', '2026-02-01')]))).toEqual([
    [form],
    [form],
    [form],
    [form],
  ]);
  expect(sources(sharedPatterns(texts.slice(1))).flat()).toEqual([`Milk placed ${form}`, `Bread placed ${form}`]);
});

it('a pattern has the characters of all tokens after the same key', () => {
  const page = (line: number, one: string, other: string) => text(line, `{"next":"${one}"}`, `{"next":"${other}"}`);
  const pages = [page(3, 'a1b2', 'c3d4'), page(6, 'a-1b2', 'c3d-4')];
  expect(sources(sharedPatterns(pages))).toEqual([['"next":"[\\w-]+'], ['"next":"[\\w-]+']]);
});
