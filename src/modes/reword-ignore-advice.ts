import { parsePointer } from '../protocol/json-pointer.ts';
import type { Finding } from '../replay/findings/finding.ts';
import { IGNORE_ONLY } from '../replay/match/near-miss.ts';
import { shellWord } from '../text-report/shell-word.ts';

/** Words a finding for tests: its advice names the test's `ignore` option instead of the flag of the command line. */
export function rewordForTest(finding: Finding): Finding {
  const { varies, text } = finding;
  if (varies === undefined) return finding;
  const isPattern = text.includes(' --ignore-pattern ');
  const flag = flagFor(text, varies);
  const rules = isPattern ? [varies] : pointersIn(flag).map(quoted);
  return { ...finding, text: text.replace(flag, () => `{ ignore: [${rules.join(', ')}] }`) };
}

/** Advice for a scenario whose client makes a call more often than recorded, as one that retries does. */
const CALLED_AGAIN =
  'If a client without the bug makes it again, write beside the recorded request: match: { repeat: last }; or, for another answer, write the request and this answer into the cassette once more, and expect each: nth: 1, nth: 2. Otherwise the extra request is a bug of the client';

/** Advice for a scenario whose client makes a call that no recorded one resembles. */
const CALLED_MORE =
  'If a client without the bug makes it, write the request and its answer into the cassette. Otherwise the extra request is a bug of the client';
const OF_RECORDING = 'Record the session again, or remove the extra request from the client';

/**
 * Words a miss for `run`: its advice names the rule beside the recorded request, since scenarios cannot ignore values. A new recording is no help where the
 * recorded client has the bug.
 */
export function rewordForScenario({ varies, isUsedUp, text }: Pick<Finding, 'varies' | 'isUsedUp' | 'text'>): string {
  if (isUsedUp) return `${text.split('\n', 1)[0]}\n  ${CALLED_AGAIN}.`;
  if (varies === undefined) return text.replace(OF_RECORDING, CALLED_MORE);
  const flag = flagFor(text, varies);
  const rules = flag.startsWith(POINTER_FLAG) ? pointersIn(flag) : [varies];
  const [values, they] = rules.length === 1 ? ['this value', 'it is'] : ['these values', 'they are'];
  const list = rules.map((one) => `'${one.replaceAll("'", "''")}'`).join(', ');
  const advice = `If ${values} may vary, write beside the recorded request: match: { ignore: [${list}] }; if ${they} about another thing, write that call and its answer into the cassette`;
  return withKeys(
    text.replace(`${IGNORE_ONLY} ${flag}`, () => advice),
    rules,
  );
}

/** Advice for a redacted value that differs on another machine. */
const GIVE_RULES = 'or give the rules that redacted the value';

/** Adds the options that take any value of a redacted key, before the rules, which another person may not have. */
function withKeys(text: string, pointers: readonly string[]): string {
  const keys = pointers.flatMap((pointer) => parsePointer(pointer).findLast((step) => !/^\d+$/.test(step)) ?? []);
  const options = [...new Set(keys)].map((key) => `--redact-key ${shellWord(key)}`).join(' ');
  return text.replace(
    GIVE_RULES,
    () => `or add ${options} to this command, which takes any value there, ${GIVE_RULES}`,
  );
}

const POINTER_FLAG = '--ignore ';

/** Returns the flags with which a text suggests rules, as the text has them. Flags for several pointers end their line. */
function flagFor(text: string, varies: string): string {
  const [pattern] = / --ignore-pattern '(?:[^']|'\\'')*'$/m.exec(text) ?? [];
  if (pattern !== undefined) return pattern.trimStart();
  const first = `${POINTER_FLAG}${varies}`;
  const rest = text.slice(text.indexOf(first) + first.length);
  const others = text.includes(first) && rest.startsWith(` ${POINTER_FLAG}/`) ? rest.split('\n', 1)[0] : '';
  return `${first}${others}`;
}

/** Returns the pointers of flags. */
function pointersIn(flags: string): string[] {
  return flags.slice(POINTER_FLAG.length).split(` ${POINTER_FLAG}`);
}

/** Returns a pointer as a string of JavaScript. */
export function quoted(pointer: string): string {
  return `'${pointer.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
