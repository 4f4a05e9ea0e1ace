import type { Cassette } from '../../../cassette/cassette.ts';
import { correlateEntries } from '../../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../cassette/split-batches-into-entries.ts';
import { isObject, isRequest, paramsOf, resultOf } from '../../../protocol/message.ts';

/** A tool of the `tools/list` results of a cassette. */
export interface ListedTool {
  name: string;
  inputSchema: unknown;
  /** The tool does not change its environment (`readOnlyHint`). */
  isReadOnly: boolean;
  /**
   * The tool may change or remove something. `destructiveHint` is true unless the tool says otherwise ("Tool",
   * "ToolAnnotations").
   */
  isDestructive: boolean;
  /** Position among the tools, from 1. */
  position: number;
  /** Line of the `tools/list` result. */
  line: number;
  /** Arguments of its recorded calls. */
  recorded: readonly unknown[];
}

/** Returns the tools that the server of a cassette lists. The last definition of a name counts. */
export function listedTools({ events }: Cassette): ListedTool[] {
  const entries = eventsToEntries(events);
  const { requestOf } = correlateEntries(entries);
  const recorded = new Map<unknown, unknown[]>();
  const definitions = new Map<string, { tool: Record<string, unknown>; line: number }>();
  for (const { index, from, message, line } of entries) {
    if (from === 'client' && isRequest(message) && message.method === 'tools/call') {
      const { name, arguments: args } = paramsOf(message);
      recorded.set(name, [...(recorded.get(name) ?? []), args ?? {}]);
    }
    const request = entries[requestOf.get(index) ?? -1]?.message;
    const { tools } = resultOf(message);
    if (!isRequest(request) || request.method !== 'tools/list' || !Array.isArray(tools)) continue;
    for (const tool of tools.filter(isObject)) {
      if (typeof tool.name === 'string') definitions.set(tool.name, { tool, line });
    }
  }
  return [...definitions].map(([name, { tool, line }], index): ListedTool => {
    const hints = isObject(tool.annotations) ? tool.annotations : {};
    const isReadOnly = hints.readOnlyHint === true;
    return {
      name,
      inputSchema: tool.inputSchema,
      isReadOnly,
      isDestructive: hints.destructiveHint === true || !(isReadOnly || hints.destructiveHint === false),
      position: index + 1,
      line,
      recorded: recorded.get(name) ?? [],
    };
  });
}
