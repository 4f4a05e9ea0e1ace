import { expect, it } from 'vitest';
import { readJournal } from '../../../src/html-report/data/fault-log.ts';

it('a journal is a line of JSON for each fault', () => {
  const entry = { rule: 1, fault: 'cut', from: 'server', message: 3, method: 'tools/call' };
  expect(readJournal(`${JSON.stringify(entry)}\n`)).toEqual([entry]);
  expect(readJournal('')).toEqual([]);
});

it('what is no journal is said to be none, with the line', () => {
  expect(() => readJournal('{"fault":"cut","from":"server","message":1}\n{"fault":"cut"}')).toThrow(/line 2/);
  expect(() => readJournal('format: mcp-record/1')).toThrow(SyntaxError);
});
