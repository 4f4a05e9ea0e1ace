import { compileLinear, type LinearRegex } from '../kernel/linear-regex.ts';
import { type Pointer, parsePointer } from '../protocol/json-pointer.ts';
import { isObject } from '../protocol/message.ts';
import { ExactNumber } from './exact-json-value.ts';

export { escapeStep, type Pointer, parsePointer } from '../protocol/json-pointer.ts';

/**
 * Returns the form of a message that is compared. It must not change its argument. Numbers may be `ExactNumber`
 * objects.
 */
export type Normalize = (message: unknown) => unknown;

/**
 * Rule that excludes parts of messages from comparison: a pointer, a regular expression for parts of strings, or a
 * function.
 */
export type Ignore = Pointer | RegExp | Normalize;

/**
 * Returns `value` without the parts that `ignore` names. Other parts are shared, not copied. Elements of a list keep
 * their positions, and a list ends with its last remaining element.
 */
export function without(value: unknown, ignore: readonly Ignore[]): unknown {
  return ignore.length === 0 ? value : remover(ignore)(value);
}

/**
 * Returns a function that removes the parts that `ignore` names. Use it for many values: pointers are parsed once, and
 * consecutive pointers share one walk.
 */
export function remover(ignore: readonly Ignore[]): Normalize {
  const parts: Normalize[] = [];
  let tree: Steps | undefined;
  for (const one of ignore) {
    if (typeof one !== 'string') {
      parts.push(typeof one === 'function' ? one : ignoreInStrings(compiled(one)));
      tree = undefined;
      continue;
    }
    if (tree === undefined) {
      const root: Steps = { next: new Map() };
      parts.push((value) => remove(value, [root]));
      tree = root;
    }
    addTo(tree, parsePointer(one));
  }
  return (value) => parts.reduce((rest, part) => part(rest), value);
}

/** Stands in a compared string for a part that is ignored. */
const IGNORED = '[ignored]';

/**
 * Returns a function that replaces the matches of `expression` in every string of a message. Keys stay.
 */
export function ignoreInStrings(expression: LinearRegex): Normalize {
  const inText = (text: string) => {
    const spans = expression.matches(text).filter(({ start, end }) => end > start);
    return spans.reduceRight((rest, { start, end }) => rest.slice(0, start) + IGNORED + rest.slice(end), text);
  };
  const inValue: Normalize = (value) => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map(inValue);
    if (!isObject(value) || value instanceof ExactNumber) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inValue(item)]));
  };
  return inValue;
}

const expressions = new WeakMap<RegExp, LinearRegex>();

/** Compiles an expression of a test once. */
function compiled(expression: RegExp): LinearRegex {
  const known = expressions.get(expression);
  if (known) return known;
  const linear = compileLinear(expression);
  expressions.set(expression, linear);
  return linear;
}

/** Tree of pointers by their steps. */
interface Steps {
  next: Map<string, Steps>;
  /** Set if a pointer ends at this node. */
  isNamed?: true;
}

function addTo(tree: Steps, steps: readonly string[]): void {
  let here = tree;
  for (const step of steps) {
    let below = here.next.get(step);
    if (below === undefined) {
      below = { next: new Map() };
      here.next.set(step, below);
    }
    here = below;
  }
  here.isNamed = true;
}

/**
 * Removes the named parts of a value. `trees` hold the nodes of all pointers that lead to it: a name and a star may
 * both match.
 */
function remove(value: unknown, trees: readonly Steps[]): unknown {
  if (trees.some(({ isNamed }) => isNamed)) return undefined;
  if (Array.isArray(value)) return fromList(value, trees);
  if (!isObject(value) || value instanceof ExactNumber) return value;
  const left = new Map<string, unknown>();
  for (const key of keysNamed(value, trees)) {
    const item = value[key];
    const rest = remove(item, below(trees, key));
    if (rest !== item) left.set(key, rest);
  }
  if (left.size === 0) return value;
  const members = Object.entries(value).map(([key, item]) => [key, left.has(key) ? left.get(key) : item]);
  return Object.fromEntries(members.filter(([, item]) => item !== undefined));
}

function fromList(list: readonly unknown[], trees: readonly Steps[]): readonly unknown[] {
  let left: unknown[] | undefined;
  for (const key of keysNamed(list, trees)) {
    const index = Number(key);
    const rest = remove(list[index], below(trees, key));
    if (rest === list[index]) continue;
    left ??= [...list];
    left[index] = rest;
  }
  return left === undefined ? list : left.slice(0, left.findLastIndex((item) => item !== undefined) + 1);
}

function keysNamed(holder: object, trees: readonly Steps[]): readonly string[] {
  if (trees.some(({ next }) => next.has('*'))) return Object.keys(holder);
  const named = new Set(trees.flatMap(({ next }) => [...next.keys()]));
  return [...named].filter((key) => Object.hasOwn(holder, key) && !(Array.isArray(holder) && key === 'length'));
}

function below(trees: readonly Steps[], key: string): Steps[] {
  return trees.flatMap(({ next }) => {
    const [named, star] = [next.get(key), key === '*' ? undefined : next.get('*')];
    return [...(named ? [named] : []), ...(star ? [star] : [])];
  });
}
