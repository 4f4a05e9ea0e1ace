import { type Pointer, parsePointer } from '../protocol/json-pointer.ts';
import { isObject } from '../protocol/message.ts';
import { ExactNumber } from './exact-json-value.ts';

/** Returns what stays of a value that is ignored. `undefined`: nothing, it is removed. */
export type Replace = (value: unknown) => unknown;

/**
 * Returns a function that removes the values at `pointers`. Other parts are shared, not copied. Elements of a list keep
 * their positions, and a list ends with its last remaining element.
 */
export function pointerRemover(pointers: readonly Pointer[]): (value: unknown) => unknown {
  return pointerReplacer(pointers.map((pointer) => [pointer, () => undefined]));
}

/** Returns a function that replaces the values at pointers, as {@link pointerRemover} removes them. */
export function pointerReplacer(rules: readonly (readonly [Pointer, Replace])[]): (value: unknown) => unknown {
  const tree: Steps = { next: new Map() };
  for (const [pointer, replace] of rules) addTo(tree, parsePointer(pointer), replace);
  return (value) => replaceIn(value, [tree]);
}

/** Tree of pointers by their steps. */
interface Steps {
  next: Map<string, Steps>;
  /** Set if a pointer ends at this node. */
  replace?: Replace;
}

function addTo(tree: Steps, steps: readonly string[], replace: Replace): void {
  let here = tree;
  for (const step of steps) {
    let below = here.next.get(step);
    if (below === undefined) {
      below = { next: new Map() };
      here.next.set(step, below);
    }
    here = below;
  }
  here.replace = replace;
}

/**
 * Replaces the named parts of a value. `trees` hold the nodes of all pointers that lead to it: a name and a star may
 * both match.
 */
function replaceIn(value: unknown, trees: readonly Steps[]): unknown {
  const named = trees.find(({ replace }) => replace !== undefined);
  if (named !== undefined) return named.replace!(value);
  if (Array.isArray(value)) return fromList(value, trees);
  if (!isObject(value) || value instanceof ExactNumber) return value;
  const left = new Map<string, unknown>();
  for (const key of keysNamed(value, trees)) {
    const item = value[key];
    const rest = replaceIn(item, below(trees, key));
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
    const rest = replaceIn(list[index], below(trees, key));
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
