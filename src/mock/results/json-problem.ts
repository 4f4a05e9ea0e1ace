import type { Params } from '../../protocol/message.ts';

/**
 * Returns the problem of an object that JSON cannot represent, such as `sum is NaN`. Undefined: JSON can represent it.
 */
export function jsonProblem(value: object): string | undefined {
  const problem = problemIn(value, []);
  return problem && `${problem.path || 'it'} ${problem.what}`;
}

interface Problem {
  /** Path from the value, as JavaScript writes it. Empty: the value itself. */
  path: string;
  what: string;
}

/** @param above enclosing objects, to detect cycles */
function problemIn(value: unknown, above: object[]): Problem | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path: '', what: `is ${value}` };
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
    return { path: '', what: `is a ${typeof value}` };
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value)) return { path: '', what: 'contains itself' };
  above.push(value);
  const problem = Array.isArray(value) ? problemInList(value, above) : problemInObject(value, above);
  above.pop();
  return problem;
}

function problemInList(list: readonly unknown[], above: object[]): Problem | undefined {
  for (let index = 0; index < list.length; index++) {
    const one = list[index];
    const problem = one === undefined ? { path: '', what: 'is undefined' } : problemIn(one, above);
    if (problem) return { ...problem, path: joined(`[${index}]`, problem.path) };
  }
  return undefined;
}

function problemInObject(value: object, above: object[]): Problem | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function' && !ArrayBuffer.isView(value))
    return problemIn(value.toJSON(), above);
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') return { path: '', what: `is a ${kind.slice('[object '.length, -1)}` };
  for (const name of Object.keys(value)) {
    const problem = problemIn((value as Params)[name], above);
    if (problem) return { ...problem, path: joined(name, problem.path) };
  }
  return undefined;
}

function joined(step: string, path: string): string {
  return path === '' || path.startsWith('[') ? step + path : `${step}.${path}`;
}
