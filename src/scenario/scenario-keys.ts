import { anything, count, milliseconds, type Param, text, word } from '../faults/rules/declare-fault-params.ts';
import type { Fields } from '../kernel/validate-fields.ts';
import { isObject } from '../protocol/message.ts';

const status: Param<unknown> = {
  doc: 'an exit status, or the signal that ended it',
  wanted: 'a number from 0 to 255 or a signal such as SIGKILL',
  read: (value) =>
    (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255) ||
    (typeof value === 'string' && /^SIG[A-Z0-9]+$/.test(value))
      ? value
      : undefined,
};
const wholeNumber: Param<unknown> = {
  doc: 'the code of the JSON-RPC error that it fails with',
  wanted: 'a whole number',
  read: (value) => (Number.isSafeInteger(value) ? value : undefined),
};
const side = (doc: string): Param<unknown> => word(doc, 'client', 'server');
const list = (doc: string): Param<unknown> => ({
  doc,
  wanted: 'a list',
  read: (value) => (Array.isArray(value) ? value : undefined),
});
const mapping = (doc: string): Param<unknown> => ({
  doc,
  wanted: 'a mapping',
  read: (value) => (isObject(value) ? value : undefined),
});
const within = milliseconds('how long it takes at most, in milliseconds');

/** The keys of a scenario. */
export const SCENARIO: Fields = {
  cassette: { ...text('the cassette, from the folder of this file'), required: true },
  play: {
    ...side('the side that is played: server to a client under test, client to a server under test'),
    required: true,
  },
  timing: text('instant (default), recorded, a factor such as 0.5x, or a cap such as 200ms'),
  seed: count('what chance draws from: the same seed, the same faults', 0),
  faults: list('what goes wrong: rules, as in a file of faults'),
  point: text('in place of faults: a point of a sweep, such as stall@3'),
  params: mapping('with point: parameters of its fault'),
  transport: word('how the program under test is reached: stdio (default) or http', 'stdio', 'http'),
  deadline: milliseconds('the longest that the whole may take, in milliseconds: 30000 by default'),
  patience: milliseconds('how long the played client waits for one answer, in milliseconds: 10000 by default'),
  misses: word('whether a request that the cassette does not have fails the scenario', 'fail', 'report'),
  expect: { ...list('what has to hold: at least one'), required: true },
};

/** Keys of each kind of expectation, by the kind's own key. */
export const EXPECTATIONS: Readonly<Record<string, Fields>> = {
  call: {
    call: { ...text('the method of requests of either side'), required: true },
    name: text('of the tool, prompt or resource'),
    nth: count('only the n-th such request'),
    ends: {
      ...word('how they end', 'succeeds', 'fails', 'cancelled', 'unanswered', 'never'),
      required: true,
    },
    code: wholeNumber,
    within,
  },
  fault: {
    fault: { ...count('the position of a rule among the faults'), required: true },
    fires: count('how often it fires; at least once, if left out', 0),
  },
  session: {
    session: { ...side('who ends it first'), required: true },
    status: { ...status, doc: 'the exit status of the server, or the signal that ended it' },
  },
  verdict: { verdict: { ...word('with point: the verdict of the sweep', 'good'), required: true } },
  exit: { exit: { ...status, doc: 'how the client under test ends', required: true }, within },
};

/** Keys of a rule, in addition to the fault's parameters. */
export const RULE: Fields = {
  do: { ...text('the fault'), required: true },
  when: anything('which messages it happens to'),
  times: count('how often it happens at most', 0),
  probability: anything('how likely it is on a match, from 0 to 1'),
};
