import type { Milliseconds } from '../kernel/clock.ts';
import { isDeeplyNested } from '../match/nesting-depth.ts';
import { isObject, type Params, paramsOf, type Request } from '../protocol/message.ts';
import { isUsual } from '../protocol/results/usual-result.ts';
import {
  createForeignSchemaCompiler,
  type ForeignSchemaCheck,
  type SchemaError,
} from '../protocol/schema/foreign-json-schema.ts';
import { runInTime } from '../protocol/schema/run-in-time.ts';

/** Returns the first violation of a schema by structured content. Undefined: it fits, or nobody can tell. */
type ContentCheck = (value: unknown) => string | undefined;

/** Schemas by name of their tool. Undefined: the tool has none. */
type Listed = Map<unknown, Params | undefined>;

/**
 * Check of structured content by the output schemas that the server has listed (2025-06-18, "Output Schema"): "Servers
 * MUST provide structured results that conform to this schema." A call has the schema that its tool had in the latest
 * list before it. Schemas are compiled once, when the first result needs them.
 */
export class StructuredContentCheck {
  /** The latest list as far as its pages have come. */
  #pages: Listed = new Map();
  /** What lists before it say of tools that it does not have yet. Empty after its last page. */
  #before: Listed = new Map();
  readonly #called = new WeakMap<Request, Params>();
  /** Calls that became tasks, by task id. */
  readonly #tasks = new Map<unknown, Params>();
  readonly #checkOf: (schema: Params) => ContentCheck;

  /** `checkOf`: what compiles the schemas. Several sessions may share it. */
  constructor(checkOf: (schema: Params) => ContentCheck = contentChecks()) {
    this.#checkOf = checkOf;
  }

  /** Takes the output schemas of a page of `tools/list`. A page without a cursor begins another list. */
  listed(request: Request, { tools, nextCursor }: Params): void {
    if (!Array.isArray(tools)) return;
    if (paramsOf(request).cursor === undefined) {
      this.#before = new Map([...this.#before, ...this.#pages]);
      this.#pages = new Map();
    }
    for (const { name, outputSchema } of tools.filter(isObject))
      this.#pages.set(name, isObject(outputSchema) ? outputSchema : undefined);
    if (nextCursor === undefined) this.#before = new Map();
  }

  /** Forgets the list, which the server has changed. */
  changed(): void {
    this.#before = new Map();
    this.#pages = new Map();
  }

  /** Notes which schema a call has. */
  called(request: Request): void {
    const { name } = paramsOf(request);
    const schema = (this.#pages.has(name) ? this.#pages : this.#before).get(name);
    if (schema !== undefined) this.#called.set(request, schema);
  }

  /**
   * Returns the problem of the result of a call, or of its task, as a clause. Undefined if the result is valid, or if the
   * tool has no listed schema.
   */
  problemOf(request: Request, result: Params): string | undefined {
    const schema =
      request.method === 'tasks/result' ? this.#tasks.get(paramsOf(request).taskId) : this.#called.get(request);
    if (schema === undefined) return undefined;
    const { structuredContent, isError, task } = result;
    if (isObject(task) && task.taskId !== undefined) this.#tasks.set(task.taskId, schema);
    // An error needs no structured content, and other kinds of results have none yet.
    if (isError === true || !isUsual(result)) return undefined;
    if (structuredContent === undefined)
      return '/result has no structuredContent, which the listed outputSchema requires';
    if (isDeeplyNested(structuredContent)) return undefined;
    const wrong = this.#checkOf(schema)(structuredContent);
    return wrong && `/result/structuredContent does not fit the listed outputSchema: ${wrong}`;
  }
}

/** Returns a function that compiles each schema once, also if it is listed again. */
export function contentChecks(): (schema: Params) => ContentCheck {
  const known = new WeakMap<Params, ContentCheck>();
  const byText = new Map<string, ContentCheck>();
  const compile = createForeignSchemaCompiler();
  return (schema) => {
    if (known.has(schema)) return known.get(schema)!;
    const text = isDeeplyNested(schema) ? '' : JSON.stringify(schema);
    // A schema that is nested too deep, or has lost a secret, accepts every value.
    const isUsed = text !== '' && !text.includes(PLACEHOLDER);
    const check = byText.get(text) ?? (isUsed ? contentCheck(schema, text, compile) : () => undefined);
    byText.set(text, check);
    known.set(schema, check);
    return check;
  };
}

/** Beginning of what stands in place of a secret. */
const PLACEHOLDER = '[redacted:';

/** Number of references in a schema from which on chains of them may take time for ever: each may double it. */
const REFERENCES_MANY = 20;
const TIMEOUT: Milliseconds = 1_000;

/** Returns the check of a schema. A schema that cannot be used, or not in time, accepts every value. */
function contentCheck(schema: Params, text: string, compile: (schema: Params) => ForeignSchemaCheck): ContentCheck {
  let errorsOf: ForeignSchemaCheck | undefined;
  const mayBeEndless = text.split(/"\$(?:dynamic|recursive)?[Rr]ef":/).length > REFERENCES_MANY;
  return (value) => {
    try {
      errorsOf ??= compile(schema);
      const check = errorsOf;
      const errors = mayBeEndless ? runInTime(() => check(value), TIMEOUT) : check(value);
      if (errors !== 'stopped') return firstCertain(errors)?.text;
      errorsOf = () => [];
      return undefined;
    } catch {
      errorsOf = () => [];
      return undefined;
    }
  };
}

/** Keywords about an object or list as a whole: nothing inside could mend their violation. */
const OF_WHOLE: ReadonlySet<string> = new Set([
  ...['type', 'required', 'dependentRequired', 'additionalProperties'],
  ...['minProperties', 'maxProperties', 'minItems', 'maxItems'],
]);

/**
 * Returns the first error that is none of a placeholder, whose secret may have been valid. An uncertain error hides those
 * inside its value: among alternatives, the placeholder may have belonged to another one.
 */
function firstCertain(errors: readonly SchemaError[]): SchemaError | undefined {
  const uncertain = new Set(errors.filter(isUncertain).map(({ path }) => path));
  return errors.find(({ path }) => !placesAround(path).some((place) => uncertain.has(place)));
}

/** Returns a path and all that it goes through. */
function placesAround(path: string): string[] {
  const steps = path.split('/');
  return steps.map((_, end) => steps.slice(0, end + 1).join('/'));
}

function isUncertain({ keyword, path, value }: SchemaError): boolean {
  // RE2 knows less white space than JavaScript.
  if (keyword === 'pattern' && /[^\S\t\n\f\r ]/.test(String(value))) return true;
  const isWhole = OF_WHOLE.has(keyword) && typeof value === 'object' && value !== null;
  const read = !isWhole ? value : Array.isArray(value) ? [] : Object.keys(value);
  return `${path}${JSON.stringify(read)}`.includes(PLACEHOLDER);
}
