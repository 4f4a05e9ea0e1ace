import { laterDate } from '../../kernel/clock.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { type FieldProblem, leavesOf, type Path } from '../../kernel/validate-fields.ts';
import { paramsMembers } from '../../protocol/allowed-params-members.ts';
import { escapeStep, parsePointer } from '../../protocol/json-pointer.ts';
import { isObject } from '../../protocol/message.ts';
import type { HandledRequest } from '../handler.ts';

/** Values available to a template. */
export interface TemplateValues {
  request: HandledRequest;
  /** Time of the answer. */
  date: Date;
  /** Place of the template, as `FILE:LINE`, for messages. */
  place: string;
}

/** `{{EXPRESSION}}`, or `\{{` for literal braces. */
const EXPRESSION = /\\\{\{|\{\{(.*?)\}\}/gs;
const DATE = /^(now|today)(?:\s*([+-])\s*(\d{1,7})\s*(ms|s|m|h|d))?$/;
/** Members of a request that a template may name. */
const MEMBERS = ['params', 'method', 'id'];
const WORDS = ['now', 'today'];
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Fills in the templates of a value. `{{/params/arguments/city}}` is a value of the request, by JSON Pointer. `{{now}}`
 * is the time and `{{today}}` the day in UTC; both take an offset, as in `{{now + 2h}}` (ms, s, m, h, d). A string that
 * consists of one expression becomes its value, so a number stays a number. In a longer string, objects are written as
 * JSON.
 * @throws McpRecordError TEMPLATE_NAMES_NOTHING if the request lacks the value
 */
export function fillIn(written: unknown, values: TemplateValues): unknown {
  if (typeof written === 'string') return fillInText(written, values);
  if (Array.isArray(written)) return written.map((one) => fillIn(one, values));
  if (!isObject(written)) return written;
  return Object.fromEntries(Object.entries(written).map(([key, one]) => [key, fillIn(one, values)]));
}

function fillInText(text: string, values: TemplateValues): unknown {
  const [first] = text.matchAll(EXPRESSION);
  if (first?.[1] !== undefined && first[0] === text) return valueIn(first[1].trim(), values);
  return text.replaceAll(EXPRESSION, (_, expression?: string) => {
    if (expression === undefined) return '{{';
    const value = valueIn(expression.trim(), values);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function valueIn(expression: string, { request, date, place }: TemplateValues): unknown {
  const [, word, sign, count, unit] = DATE.exec(expression) ?? [];
  if (word !== undefined) {
    const offset = count === undefined ? 0 : Number(`${sign}${count}`) * UNIT_MS[unit!]!;
    const text = laterDate(date, offset).toISOString();
    return word === 'today' ? text.slice(0, 'YYYY-MM-DD'.length) : text;
  }
  let value: unknown = request;
  for (const step of parsePointer(expression)) {
    const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    if (!isMember) throw namesNothing(expression, request, place);
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Returns the problem of the first expression that can name nothing in any request of the method, or `undefined`. */
export function templateProblem(written: unknown, path: Path, method: string): FieldProblem | undefined {
  for (const leaf of leavesOf(written, path)) {
    for (const expression of expressionsIn(leaf.value)) {
      const problem = problemOf(expression, method);
      if (problem === undefined) continue;
      const next = `${problem.next} For the braces themselves, write \\{{.`;
      return { path: leaf.path, why: `{{${expression}}} names nothing${problem.why}`, next };
    }
  }
  return undefined;
}

interface ExpressionProblem {
  /** Text after "names nothing" in the error message. */
  why: string;
  next: string;
}

function problemOf(expression: string, method: string): ExpressionProblem | undefined {
  if (DATE.test(expression)) return undefined;
  if (expression.startsWith('/')) return pointerProblem(expression, method);
  const meant = didYouMean(expression, WORDS);
  return { why: '', next: meant === undefined ? EXAMPLES : `Did you mean {{${meant}}}?` };
}

const EXAMPLES = 'Write {{/params/arguments/NAME}}, {{now}} or {{now + 2h}}.';

function pointerProblem(pointer: string, method: string): ExpressionProblem | undefined {
  const steps = parsePointer(pointer);
  const [member = '', param] = steps;
  if (!MEMBERS.includes(member)) return { why: '', next: meantStep(steps, 0, MEMBERS) ?? EXAMPLES };
  if (param === undefined) return undefined;
  if (member !== 'params') return { why: `: the ${member} of a request has no members`, next: `Write {{/${member}}}.` };
  const members = paramsMembers(method);
  if (members === undefined || members.includes(param)) return undefined;
  const why = `: the params of ${method} have no member ${param}`;
  return { why, next: meantStep(steps, 1, members) ?? `There are ${members.join(', ')}.` };
}

/** Returns a "Did you mean" question about a misspelt step of a pointer. Undefined if no name resembles the step. */
function meantStep(steps: readonly string[], index: number, names: readonly string[]): string | undefined {
  const step = steps[index]!;
  const name = didYouMean(step, names, step.length < SHORT ? 1 : 2);
  return (
    name &&
    `Did you mean {{${steps
      .with(index, name)
      .map((step) => `/${escapeStep(step)}`)
      .join('')}}}?`
  );
}

/** Steps shorter than this count as misspelt with at most one wrong letter, longer ones with at most two. */
const SHORT = 4;

/** Returns the template expressions of a string; other values have none. */
export function expressionsIn(written: unknown): string[] {
  if (typeof written !== 'string') return [];
  return [...written.matchAll(EXPRESSION)].flatMap(([, one]) => (one === undefined ? [] : [one.trim()]));
}

function namesNothing(expression: string, { params }: HandledRequest, place: string): McpRecordError {
  return new McpRecordError({
    code: 'TEMPLATE_NAMES_NOTHING',
    what: `Cannot fill in {{${expression}}} (${place})`,
    why: `the request has no such value; its params are ${JSON.stringify(params)}`,
    next: 'Mend the template, or give requests without this value an answer of their own with "when".',
  });
}
