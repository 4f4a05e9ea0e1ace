import { isObject } from '../../protocol/message.ts';

/**
 * Returns the advice for keys beside the parameters of a rule that are conditions: the rule in the long form. `known`
 * has the keys that the rule may have there. `place` says where a rule in the long form belongs.
 */
export function conditionAdvice(
  value: Record<string, unknown>,
  known: readonly string[],
  place: string | undefined,
): string {
  const { do: fault, when, ...others } = value;
  const isKnown = ([key]: [string, unknown]) => known.includes(key);
  const conditions = Object.entries(others).filter((one) => !isKnown(one));
  const rule = {
    do: fault,
    when: { ...(isObject(when) && when), ...Object.fromEntries(conditions) },
    ...Object.fromEntries(Object.entries(others).filter(isKnown)),
  };
  const advice = `It belongs into "when", in the long form of a rule: ${flowText(rule)}`;
  return place === undefined ? advice : `${advice}\n  Write ${place}.`;
}

/** Returns a value on one line, as it can be written in YAML and in JavaScript. */
function flowText(value: unknown): string {
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, one]) => `${key}: ${flowText(one)}`);
    return `{ ${members.join(', ')} }`;
  }
  const isPlain = typeof value === 'string' && /^[\w./-]*$/.test(value);
  return isPlain ? `'${value}'` : JSON.stringify(value);
}
