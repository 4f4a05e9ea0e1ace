import type { Clock } from '../../kernel/clock.ts';
import { expressionProblem } from '../../kernel/linear-regex.ts';
import { compilePattern } from '../../match/value-pattern.ts';
import { escapeStep } from '../../protocol/json-pointer.ts';
import type { Params, RpcError } from '../../protocol/message.ts';
import { fillIn, templateProblem } from '../file/response-template.ts';
import { type Handler, type HandlerContext, prompt, RpcFailure, request, resource, tool } from '../handler.ts';
import { delayed } from '../handler-context.ts';
import { RETURNS } from '../handler-value-to-result.ts';
import { writtenResultProblem } from '../results/written-result-problem.ts';
import { BodyObject } from './body-object.ts';
import { badValue, type Located, type Path, unknownKey } from './control-errors.ts';
import { writtenError } from './written-error.ts';

/** Members of every kind of handler. */
const COMMON: readonly string[] = ['returns', 'error', 'once', 'delayMs', 'optional'];
const LISTED: readonly string[] = ['title', 'description'];

/** Members by kind of handler. */
const MEMBERS: Readonly<Record<Kind, readonly string[]>> = {
  tool: [...COMMON, 'arguments', ...LISTED, 'inputSchema', 'outputSchema', 'annotations'],
  resource: [...COMMON, 'name', 'mimeType', ...LISTED],
  prompt: [...COMMON, 'arguments', ...LISTED],
  request: [...COMMON, 'params'],
};
const KINDS = ['tool', 'resource', 'prompt', 'request'] as const;
type Kind = (typeof KINDS)[number];
const ALL_MEMBERS: readonly string[] = [...new Set([...KINDS, ...KINDS.flatMap((kind) => MEMBERS[kind])])];

/** A handler as data: `{ tool: 'add', arguments: { a: 1 }, returns: 3 }`. */
export interface WrittenHandler {
  written: Params;
  /** Number of requests answered so far. */
  answered: number;
  handler: Handler;
}

/**
 * Parses handlers of tools, resources, prompts or methods.
 * @throws BodyError CONTROL_BAD_VALUE, CONTROL_UNKNOWN_KEY
 */
export function writtenHandlers(list: readonly Located[], clock: Clock): WrittenHandler[] {
  return list.map((located) => writtenHandler(located, clock));
}

function writtenHandler(located: Located, clock: Clock): WrittenHandler {
  const { path } = located;
  const kind = kindOf(located);
  const fields = new BodyObject(located, [kind, ...MEMBERS[kind]]);
  const { members } = fields;
  const delay = fields.whole('delayMs') ?? 0;
  if (fields.has('returns') === fields.has('error'))
    throw badValue(path, { why: 'it has either "returns" or "error"', next: `Send "returns": ${RETURNS[kind]}.` });
  const { returns, error: failing } = members;
  const error = fields.has('error') ? writtenError({ value: failing, path: fields.at('error') }) : undefined;
  const answer = async ({ signal, request: asked }: HandlerContext) => {
    one.answered++;
    if (delay > 0) await delayed(clock, delay, signal);
    const values = { request: asked, place: placeOf(path), date: clock.date() };
    if (error) throw new RpcFailure(fillIn(error, values) as RpcError);
    return fillIn(returns, values);
  };
  const handler: Handler = {
    ...handlerOf(fields, { kind, answer }),
    ...fitting(kind, fields),
    place: placeOf(path),
    ifUncalled: fields.flag('optional') ? null : 'unfired',
  };
  const problem = templateProblem(error ? { error } : { returns }, path, handler.method);
  if (problem) throw badValue(problem.path, problem);
  const wrong = error ? undefined : writtenResultProblem(handler, returns);
  if (wrong !== undefined)
    throw badValue(fields.at('returns'), {
      why: `it is no answer of a ${kind}: ${wrong}`,
      next: `Send ${RETURNS[kind]}.`,
    });
  const one: WrittenHandler = { written: members, answered: 0, handler };
  return one;
}

function kindOf(located: Located): Kind {
  const { members, path } = new BodyObject(located, ALL_MEMBERS);
  const [kind, other] = KINDS.filter((name) => members[name] !== undefined);
  if (kind === undefined)
    throw badValue(path, {
      why: 'it does not say what it answers',
      next: `Send one of ${KINDS.join(', ')}: { "tool": "add", … }.`,
    });
  if (other !== undefined) throw unknownKey(path, { key: other, known: [kind, ...MEMBERS[kind]] });
  return kind;
}

interface Answering {
  kind: Kind;
  answer(context: HandlerContext): Promise<unknown>;
}

function handlerOf(fields: BodyObject, { kind, answer }: Answering): Handler {
  const name = fields.text(kind);
  const options = { once: fields.flag('once'), ...definitionOf(fields) };
  const handle = (_: unknown, context: HandlerContext) => answer(context);
  switch (kind) {
    case 'tool':
      return tool(name, handle, options);
    case 'resource':
      return resource(name, handle, options);
    case 'prompt':
      return prompt(name, handle, options);
    case 'request':
      return request(fields.method('request'), handle, { once: options.once });
  }
}

/** Returns the members of the item in the list of its kind. */
function definitionOf(fields: BodyObject): Params {
  const texts = ['name', 'title', 'description', 'mimeType'].filter((name) => fields.has(name));
  const objects = ['inputSchema', 'outputSchema', 'annotations'].filter((name) => fields.has(name));
  if (fields.has('inputSchema') && fields.object('inputSchema')?.type !== 'object')
    throw badValue(fields.at('inputSchema'), {
      why: 'its type is not object',
      next: 'Send a JSON Schema with "type": "object", as of arguments.',
    });
  return Object.fromEntries([
    ...texts.map((name) => [name, fields.text(name)]),
    ...objects.map((name) => [name, fields.object(name)]),
  ]);
}

/** Returns the condition of a handler: a request matches if its arguments (or params) fit the written pattern. */
function fitting(kind: Kind, fields: BodyObject): Pick<Handler, 'accepts' | 'condition'> {
  const name = kind === 'request' ? 'params' : 'arguments';
  const wanted = fields.object(name);
  if (wanted === undefined) return {};
  const problem = expressionProblem(wanted, fields.at(name));
  if (problem) throw badValue(problem.path, problem);
  const accepts = compilePattern(wanted);
  return {
    accepts: (params) => accepts(kind === 'request' ? params : (params.arguments ?? {})),
    condition: JSON.stringify(wanted),
  };
}

function placeOf(path: Path): string {
  return path.map((step) => `/${escapeStep(step)}`).join('');
}
