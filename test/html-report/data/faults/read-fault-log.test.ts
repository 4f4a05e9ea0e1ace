import { expect, it } from 'vitest';
import { readFaultLog } from '../../../../src/html-report/data/faults/read-fault-log.ts';

it('a journal is a line of JSON for each fault', () => {
  const entry = { rule: 1, fault: 'cut', from: 'server', message: 3, method: 'tools/call' };
  expect(readFaultLog(`${JSON.stringify(entry)}\n`)).toEqual([entry]);
  expect(readFaultLog('')).toEqual([]);
});

it('what is no journal is said to be none, with the line', () => {
  expect(() => readFaultLog('{"fault":"cut","from":"server","message":1}\n{"fault":"cut"}')).toThrow(/line 2/);
  expect(() => readFaultLog('format: mcp-record/1')).toThrow(SyntaxError);
});
