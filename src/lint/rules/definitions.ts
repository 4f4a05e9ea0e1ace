import { jsonOf } from '../../protocol/json-text.ts';
import { isObject, resultOf } from '../../protocol/message.ts';
import { LISTS } from '../../protocol/method-table.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';
import type { LintSession } from '../session-for-rules.ts';

type Members = Record<string, unknown>;

/** Rules for the definitions in a server's lists. */
export const DEFINITION_RULES: readonly LintRule[] = [
  {
    id: 'unique-names',
    severity: 'warning',
    sentence: 'Names, or URIs, are unique in a list.',
    source: 'Server features, "Tools", "Tool Names"',
    check: ({ responses, requestOf }) =>
      responses.flatMap((entry): RuleBreach[] => {
        const list = LISTS.get(requestOf(entry)?.message.method ?? '');
        const items = list && resultOf(entry.message)[list.field];
        if (list === undefined || !Array.isArray(items)) return [];
        const seen = new Set<unknown>();
        for (const item of items.filter(isObject)) {
          const name = item.uri ?? item.uriTemplate ?? item.name;
          if (seen.has(name)) return [{ entry, why: `it has two ${list.noun}s ${jsonOf(name)}` }];
          seen.add(name);
        }
        return [];
      }),
  },
  {
    id: 'param-header',
    severity: 'warning',
    sentence:
      'An "x-mcp-header" is the name of a header, and unique in its tool. It stands at a string, integer or boolean that is reached by "properties" only.',
    source: '2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"',
    era: 'modern',
    check: (session) =>
      toolsIn(session).flatMap(({ entry, tool }): RuleBreach[] => {
        const why = headerTrouble(tool.inputSchema);
        return why === undefined ? [] : [{ entry, why: `tool ${jsonOf(tool.name)}: ${why}` }];
      }),
  },
];

/** Returns the tools of every list, with the entry of the list. */
export function toolsIn({ responses, requestOf }: LintSession): { entry: RuleBreach['entry']; tool: Members }[] {
  return responses.flatMap((entry) => {
    const { tools } = resultOf(entry.message);
    if (requestOf(entry)?.message.method !== 'tools/list' || !Array.isArray(tools)) return [];
    return tools.filter(isObject).map((tool) => ({ entry, tool }));
  });
}

/** Token (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVE: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/** Returns the problem of the first invalid `x-mcp-header` in a schema. */
function headerTrouble(schema: unknown): string | undefined {
  const seen = new Set<string>();
  const open: { value: unknown; isProperty: boolean; isReachable: boolean }[] = [
    { value: schema, isProperty: false, isReachable: true },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isProperty, isReachable } = next;
    if (Array.isArray(value))
      for (const item of value) open.push({ value: item, isProperty: false, isReachable: false });
    if (!isObject(value)) continue;
    const header = value['x-mcp-header'];
    if (header !== undefined) {
      const name = String(header).toLowerCase();
      if (typeof header !== 'string' || !TOKEN.test(header)) return `${jsonOf(header)} is not a name of a header`;
      if (!isProperty || !isReachable) return `${jsonOf(header)} is not at an argument that only "properties" lead to`;
      if (!PRIMITIVE.has(value.type)) return `${jsonOf(header)} is at an argument of type ${jsonOf(value.type)}`;
      if (seen.has(name)) return `two arguments have ${jsonOf(header)}`;
      seen.add(name);
    }
    for (const [key, member] of Object.entries(value)) {
      if (key !== 'properties' || !isObject(member)) {
        open.push({ value: member, isProperty: false, isReachable: false });
        continue;
      }
      for (const property of Object.values(member)) open.push({ value: property, isProperty: true, isReachable });
    }
  }
  return undefined;
}
