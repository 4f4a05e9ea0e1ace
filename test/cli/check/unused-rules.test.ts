import { expect, it } from 'vitest';
import { UnusedRules } from '../../../src/cli/check/unused-rules.ts';

const SNOW = "--ignore-pattern 'snow' matched nothing: is it misspelled?";
const RAIN = "--ignore '/result/rain' matched nothing: is it misspelled?";

it('a rule is unused if it matched nothing in any command that compares', () => {
  const unused = new UnusedRules();
  expect(unused.take(['0 errors'], { args: ['lint'], status: 0 })).toEqual(['0 errors']);
  const diff = ['1 cassette compared', `mcp-record: Note: ${SNOW}`, `mcp-record: Note: ${RAIN}`];
  expect(unused.take(diff, { args: ['diff'], status: 1 })).toEqual(['1 cassette compared']);
  const verify = [`note: ${RAIN}`, "note: match: { ignore: ['/x/'] } (a.yaml:2) matched nothing: is it misspelled?"];
  expect(unused.take(verify, { args: ['verify'], status: 0 })).toEqual([verify[1]]);
  expect(unused.inAll()).toEqual([RAIN]);
});

it('a command that could compare nothing says nothing of a rule', () => {
  const unused = new UnusedRules();
  unused.take([`note: ${SNOW}`], { args: ['verify'], status: 0 });
  unused.take(['mcp-record: Cannot start'], { args: ['verify'], status: 2 });
  expect(unused.inAll()).toEqual([SNOW]);
});
