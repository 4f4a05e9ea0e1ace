import { ExactNumber, exactValue } from '../../match/exact-json-value.ts';
import { isDeeplyNested } from '../../match/nesting-depth.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject, type Params } from '../../protocol/message.ts';
import { type MethodKind, methodProblem } from '../../protocol/method-problem.ts';
import { type BodyError, badValue, type Located, type Path, unknownKey } from './control-errors.ts';

/**
 * Parses a request body.
 * @throws BodyError CONTROL_BAD_VALUE for invalid JSON, deep nesting, or a number that would be rounded
 */
export function parseBody(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badValue([], { why: `it is no JSON (${(error as Error).message})`, next: 'Send an object of JSON.' });
  }
  if (isDeeplyNested(value))
    throw badValue([], { why: 'its lists and objects are nested too deep', next: 'Send less deeply nested values.' });
  const rounded = roundedIn(exactValue(new JsonText(text)), []);
  if (rounded === undefined) return value;
  const next = 'Send a shorter number, or the digits as text.';
  throw badValue(rounded, { why: 'it is a number that a double cannot hold', next });
}

/** Returns the path of the first number that a double would change. */
function roundedIn(value: unknown, path: Path): Path | undefined {
  if (value instanceof ExactNumber) return path;
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  for (const [step, member] of members) {
    const found = roundedIn(member, [...path, step]);
    if (found) return found;
  }
  return undefined;
}

/** A JSON object in a request body, with a typed reader for each member. */
export class BodyObject {
  readonly path: Path;
  readonly members: Params;

  /** Checks that the value is an object with known members. @throws BodyError CONTROL_BAD_VALUE, CONTROL_UNKNOWN_KEY */
  constructor({ value, path }: Located, known: readonly string[]) {
    const wanted = known.length > 0 ? `{ "${known[0]}": … }` : '{}';
    if (!isObject(value)) throw badValue(path, { why: 'it is no object', next: `Send ${wanted}.` });
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown !== undefined) throw unknownKey(path, { key: unknown, known });
    this.path = path;
    this.members = value;
  }

  has(name: string): boolean {
    return this.members[name] !== undefined;
  }

  /** Returns the path of a member. */
  at(name: string): Path {
    return [...this.path, name];
  }

  /**
   * Returns a non-empty string.
   * @throws BodyError CONTROL_BAD_VALUE if it is missing, empty or not a string
   */
  text(name: string): string {
    const value = this.members[name];
    if (typeof value === 'string' && value !== '') return value;
    const why = value === undefined ? 'it is missing' : 'it is no text';
    throw this.#bad(name, { why, next: `Send "${name}": "TEXT".` });
  }

  /**
   * Returns a method that messages of this kind may have.
   * @throws BodyError CONTROL_BAD_VALUE
   */
  method(name: string, kind: MethodKind = 'request'): string {
    const method = this.text(name);
    const problem = methodProblem(method, kind);
    if (problem) throw this.#bad(name, problem);
    return method;
  }

  /**
   * Returns an object, or `undefined` if it is missing.
   * @throws BodyError CONTROL_BAD_VALUE
   */
  object(name: string): Params | undefined {
    const value = this.members[name];
    if (value === undefined || isObject(value)) return value;
    throw this.#bad(name, { why: 'it is no object', next: `Send "${name}": { … }, or leave it out.` });
  }

  /**
   * Returns the items of a list.
   * @throws BodyError CONTROL_BAD_VALUE if it is missing or not a list
   */
  list(name: string): Located[] {
    const value = this.members[name];
    if (Array.isArray(value)) return value.map((item, index) => ({ value: item, path: [...this.at(name), index] }));
    const why = value === undefined ? 'it is missing' : 'it is no list';
    throw this.#bad(name, { why, next: `Send "${name}": [ … ].` });
  }

  /**
   * Returns a boolean. Default: false.
   * @throws BodyError CONTROL_BAD_VALUE
   */
  flag(name: string): boolean {
    const { [name]: value = false } = this.members;
    if (typeof value === 'boolean') return value;
    throw this.#bad(name, { why: 'it is neither true nor false', next: 'Send true, or leave it out.' });
  }

  /**
   * Returns an integer from `min` to `max`.
   * @throws BodyError CONTROL_BAD_VALUE
   */
  whole(name: string, { min = 0, max = Number.MAX_SAFE_INTEGER }: Range = {}): number | undefined {
    const value = this.members[name];
    if (value === undefined) return undefined;
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw this.#bad(name, { why: `it is no whole number ${range}`, next: 'Send such a number, or leave it out.' });
  }

  #bad(name: string, problem: Parameters<typeof badValue>[1]): BodyError {
    return badValue(this.at(name), problem);
  }
}

interface Range {
  min?: number;
  max?: number;
}
