import { expect, it } from 'vitest';
import { UnusedRules } from '../../../src/cli/check/unused-rules.ts';
import { call, cassette, client } from '../../support/conversation.ts';

const SNOW = "--ignore-pattern 'snow' matched nothing: is it misspelled?";
const TOWN = "--ignore '/params/arguments/town' matched nothing: is it misspelled?";
const OPTIONS = { ignore: ['/params/arguments/town'], ignorePattern: ['snow'] };
const none = () => [cassette(client(call(1, 'a')))];

it('a rule is unused if it matched nothing in any cassette', () => {
  const unused = new UnusedRules();
  expect(unused.take(['0 errors'], { args: ['lint'], status: 0 })).toEqual(['0 errors']);
  const verify = [`note: ${SNOW}`, "note: match: { ignore: ['/x/'] } (a.yaml:2) matched nothing: is it misspelled?"];
  expect(unused.take(verify, { args: ['verify'], status: 0 })).toEqual([verify[1]]);
  expect(unused.take([`note: ${TOWN}`], { args: ['verify'], status: 0 })).toEqual([]);
  expect(unused.notes(OPTIONS, none)).toEqual([SNOW, TOWN]);
  const other = cassette(client(call(1, 'a', { town: 'Oslo' })));
  expect(unused.notes(OPTIONS, () => [...none(), other])).toEqual([SNOW]);
});

it('a rule that a comparison with a revision has used is not unused', () => {
  const unused = new UnusedRules();
  unused.take([`note: ${SNOW}`, `note: ${TOWN}`], { args: ['verify'], status: 0 });
  unused.take([`mcp-record: Note: ${TOWN}`], { args: ['diff'], status: 1 });
  expect(unused.notes(OPTIONS, none)).toEqual([TOWN]);
});

it('a comparison that could not be made says nothing of a rule', () => {
  const unused = new UnusedRules();
  unused.take([`note: ${SNOW}`], { args: ['verify'], status: 0 });
  unused.take(['mcp-record: Cannot start'], { args: ['diff'], status: 2 });
  expect(unused.notes(OPTIONS, none)).toEqual([SNOW]);
});
