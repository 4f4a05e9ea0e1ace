import { expect, it } from 'vitest';
import { missingListNotes } from '../../../src/contract/usage/missing-lists.ts';

const notes = (used: string[], asked: string[]) =>
  missingListNotes({ file: 'a.yaml', used: new Set(used), asked: new Set(asked) });

it('a list that a cassette lacks is noted where something that it defines is used', () => {
  expect(notes(['tools/call', 'resources/read', 'ping'], ['resources/list', 'ping'])).toEqual([
    'a.yaml has no tools/list: whether a definition that tools/call needs has changed or is gone is not known. Another cassette does not count: record tools/list and tools/call in one session.',
  ]);
  expect(notes(['ping'], [])).toEqual([]);
});
