/**
 * Returns the problem of an object that JSON cannot represent, such as `sum is NaN`. Undefined: JSON can represent it.
 */
export function jsonProblem(value: object): string | undefined {
  return problemAt(value, { at: '', above: [] });
}

interface Position {
  /** Path of the value, as JavaScript writes it. */
  at: string;
  /** Enclosing objects, to detect cycles. */
  above: readonly object[];
}

function problemAt(value: unknown, { at, above }: Position): string | undefined {
  const name = at === '' ? 'it' : at;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${name} is ${value}`;
  if (['bigint', 'function', 'symbol'].includes(typeof value)) return `${name} is a ${typeof value}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.includes(value)) return `${name} contains itself`;
  const inside = [...above, value];
  if (!Array.isArray(value)) {
    if ('toJSON' in value && typeof value.toJSON === 'function' && !ArrayBuffer.isView(value))
      return problemAt(value.toJSON(), { at, above: inside });
    const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
    if (kind !== 'Object') return `${name} is a ${kind}`;
  }
  for (const [key, one] of Object.entries(value)) {
    const path = Array.isArray(value) ? `${at}[${key}]` : `${at}${at === '' ? '' : '.'}${key}`;
    const isHole = one === undefined && Array.isArray(value);
    const problem = isHole ? `${path} is undefined` : problemAt(one, { at: path, above: inside });
    if (problem !== undefined) return problem;
  }
  return undefined;
}
