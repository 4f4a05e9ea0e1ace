import { expect, it } from 'vitest';
import { rewordForScenario, rewordForTest } from '../../src/modes/reword-ignore-advice.ts';

it('names the option of a test, and not the flag of the command line', () => {
  const text =
    "Cannot answer.\n  Record the session again. Ignore only what differs in every run: --ignore /params/it's";
  expect(rewordForTest({ kind: 'miss', text, varies: "/params/it's" }).text).toBe(
    "Cannot answer.\n  Record the session again. Ignore only what differs in every run: { ignore: ['/params/it\\'s'] }",
  );
  expect(rewordForTest({ kind: 'miss', text: 'x' })).toEqual({ kind: 'miss', text: 'x' });
});

it('names a rule of the cassette, and not a flag that run lacks', () => {
  const text = 'Cannot answer.\n  Record the session again. Ignore only what differs in every run: --ignore /params/a';
  expect(rewordForScenario({ text, varies: '/params/a' })).toBe(
    "Cannot answer.\n  Record the session again. If this value may vary, write beside the recorded request: match: { ignore: ['/params/a'] }; if it is about another thing, write that call and its answer into the cassette",
  );
  expect(rewordForScenario({ text: 'x' })).toBe('x');
});

it('advises no new recording for a call that a client without the bug repeats', () => {
  const text = 'Cannot answer: used (a.yaml:4).\n  Record the session again, or remove the extra request.';
  const reworded = rewordForScenario({ text, isUsedUp: true });
  expect(reworded).toMatch(/^Cannot answer: used \(a\.yaml:4\)\.\n {2}If .*match: \{ repeat: last \}.*nth: 1, nth: 2/);
  expect(reworded).not.toContain('Record the session');
  const other =
    'Cannot answer ping: a.yaml has no ping.\n  Record the session again, or remove the extra request from the client.';
  expect(rewordForScenario({ text: other })).toMatch(/has no ping\.\n {2}If .* write the request and its answer/);
});

it('names all places if the advice has several', () => {
  const text =
    "Cannot answer.\n  Give the rules. Ignore only what differs in every run: --ignore /a --ignore /it's\n  The client.";
  expect(rewordForTest({ kind: 'miss', text, varies: '/a' }).text).toBe(
    "Cannot answer.\n  Give the rules. Ignore only what differs in every run: { ignore: ['/a', '/it\\'s'] }\n  The client.",
  );
  expect(rewordForScenario({ text, varies: '/a' })).toBe(
    "Cannot answer.\n  Give the rules. If these values may vary, write beside the recorded request: match: { ignore: ['/a', '/it''s'] }; if they are about another thing, write that call and its answer into the cassette\n  The client.",
  );
});
