import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { ToolCall } from '../../verify/run/listing-client-cassette.ts';

/**
 * Parses the values of `--call`: the name of a tool, and its arguments as a JSON object. Without arguments, they are
 * empty. `words` are those of the server's command.
 * @throws McpRecordError USAGE_BAD_CALL
 */
export function toolCallsFrom(texts: readonly string[], words: readonly string[]): ToolCall[] {
  const calls = texts.map(toolCallIn);
  const [stray] = words;
  if (calls.length > 0 && stray?.startsWith('{'))
    throw badCall(texts.at(-1)!, 'its arguments are a word of their own, which the command of the server begins with');
  return calls;
}

function toolCallIn(text: string): ToolCall {
  const brace = text.indexOf('{');
  const name = (brace < 0 ? text : text.slice(0, brace)).trim();
  const [, word, rest] = /^(\S+)\s+(\S.*)$/s.exec(name) ?? [];
  if (name === '') throw badCall(text, 'it does not begin with the name of a tool');
  if (word !== undefined && (brace >= 0 || isJson(rest!)))
    throw badCall(text, `${JSON.stringify(word)} is not followed by a JSON object`);
  const json = brace < 0 ? '{}' : text.slice(brace).trim();
  if (!isJson(json)) throw badCall(text, 'its arguments are no JSON object');
  return { name, arguments: json };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks that a server has the tools of all calls.
 * @throws McpRecordError USAGE_BAD_CALL
 */
export function requireTools(calls: readonly ToolCall[], tools: readonly { name?: unknown }[]): void {
  const names = tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const unknown = calls.find(({ name }) => !names.includes(name));
  if (unknown === undefined) return;
  const meant = didYouMean(unknown.name, names);
  const has = names.length === 0 ? 'it lists no tools' : `it has ${listed(names)}`;
  const advice = meant === undefined ? has : `did you mean ${JSON.stringify(meant)}?`;
  throw badCall(unknown.name, `the server has no tool ${JSON.stringify(unknown.name)}: ${advice}`);
}

const LISTED_MAX = 10;

function listed(names: readonly string[]): string {
  const more = names.length > LISTED_MAX ? ` and ${names.length - LISTED_MAX} more` : '';
  return names.slice(0, LISTED_MAX).join(', ') + more;
}

/** Returns an error. The text may have secrets in its arguments, so only the name of the tool is shown. */
function badCall(text: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_CALL',
    what: `Cannot make the call ${JSON.stringify(text.trim().split(/[\s{]/, 1)[0])}`,
    why,
    next: `Write the tool and its arguments in one pair of quotes: --call 'add {"a": 1, "b": 2}'.`,
  });
}
