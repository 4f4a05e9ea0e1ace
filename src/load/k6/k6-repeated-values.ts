import type { JsonPath } from '../../protocol/json-scan.ts';
import { isRequest, paramsOf, resultOf } from '../../protocol/message.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import type { ReplayPlan } from '../../replay/plan/server-plan.ts';
import { returnedValues } from '../../replay/tokens/returned-values.ts';

/** A value that the server issues and the client repeats: an id, a cursor or a task id. */
export interface RepeatedValue {
  value: string;
  /** Place in the answer: path of a text. `before` and `after` surround the value within the text. */
  returned: { entry: number; path: JsonPath; before: string; after: string };
  sent: { entry: number; path: JsonPath };
}

/** Protocol tokens: the path in a result that issues the token, and the param that repeats the token. */
const TOKENS: readonly (readonly [issued: JsonPath, param: string])[] = [
  [['result', 'nextCursor'], 'cursor'],
  [['result', 'requestState'], 'requestState'],
  [['result', 'taskId'], 'taskId'],
  [['result', 'task', 'taskId'], 'taskId'],
];

/** Returns the values of answers that later messages of the client repeat. */
export function repeatedValues(plan: ReplayPlan): RepeatedValue[] {
  const { entries, links } = plan;
  const values = returnedValues(entries, links).map(({ recorded, returned, sent }): RepeatedValue => {
    const text = String(valueAt(entries[returned.entry]!.json!.value, returned.path));
    const { start, end } = returned.span ?? { start: 0, end: text.length };
    const [before, after] = [text.slice(0, start), text.slice(end)];
    return {
      value: recorded,
      returned: { entry: returned.entry, path: returned.path, before, after },
      sent: { entry: sent.entry, path: sent.path },
    };
  });
  return [...values, ...tokens(plan)];
}

function tokens({ entries, links }: ReplayPlan): RepeatedValue[] {
  const issued = new Map<string, { entry: number; path: JsonPath }>();
  const found: RepeatedValue[] = [];
  for (const { index, from, message, json } of entries) {
    if (from === 'server' && links.requestOf.has(index) && resultOf(message)) {
      for (const [path, param] of TOKENS) {
        const value = valueAt(json?.value, path);
        if (typeof value === 'string') issued.set(`${param} ${value}`, { entry: index, path });
      }
    }
    if (from !== 'client' || !isRequest(message)) continue;
    for (const param of new Set(TOKENS.map(([, name]) => name))) {
      const value = paramsOf(message)[param];
      const origin = typeof value === 'string' ? issued.get(`${param} ${value}`) : undefined;
      if (origin === undefined) continue;
      const returned = { ...origin, before: '', after: '' };
      found.push({ value: String(value), returned, sent: { entry: index, path: ['params', param] } });
    }
  }
  return found;
}
