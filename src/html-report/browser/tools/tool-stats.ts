import { ListMap } from '../../../cassette/correlate/list-map.ts';
import { percentile } from '../../../text-report/percentile.ts';
import { printable } from '../../../text-report/printable-text.ts';
import type { Item, View } from '../../data/report-data-types.ts';
import { resultIn } from '../parse-message.ts';

/** Maximum length of a tool name in items. */
const NAME_LENGTH_MAX = 240;

/** Statistics of one tool in a session. Times are milliseconds, sizes bytes. */
export interface ToolStats {
  name: string;
  /** Timeline: label of the server that has the tool. */
  server?: string;
  /** Whether a `tools/list` result contains the tool. Undefined: the page has no complete `tools/list` result. */
  isOffered: boolean | undefined;
  calls: number;
  /** Calls with an error response; `unanswered` counts calls without a response. */
  errors: number;
  unanswered: number;
  /** Durations of answered calls. Absent: no call was answered. */
  p50?: number;
  p95?: number;
  slowest?: number;
  sent: number;
  received: number;
  /** Size of the tool definition in the `tools/list` result. */
  definition?: number;
}

/** Tool definition of a `tools/list` result. */
export interface OfferedTool {
  name: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
}

/**
 * Returns the latest definition of each tool that the server offers. Undefined: the page has no complete `tools/list`
 * result.
 */
export function offeredTools(items: readonly Item[]): Map<string, OfferedTool> | undefined {
  const offered = new Map<string, OfferedTool>();
  let isKnown = false;
  for (const { kind, method, content, change } of items) {
    if (kind !== 'response' || method !== 'tools/list' || change?.kind === 'removed') continue;
    if (content?.language !== 'json') return undefined;
    const tools = resultIn(content)?.tools;
    if (!Array.isArray(tools)) continue;
    isKnown = true;
    for (const tool of tools) {
      if (typeof tool?.name === 'string') offered.set(printable(tool.name.slice(0, NAME_LENGTH_MAX)), tool);
    }
  }
  return isKnown ? offered : undefined;
}

/** Returns statistics of every called or offered tool, sorted by total time, then by number of calls. */
export function toolStats(items: readonly Item[]): ToolStats[] {
  const offered = offeredTools(items);
  const calls = new ListMap<string, Item>([...(offered?.keys() ?? [])].map((name) => [name, []]));
  for (const item of items) {
    if (item.kind !== 'request' || item.method !== 'tools/call' || item.name === undefined) continue;
    calls.add(item.name, item);
  }
  const total = (tool: string) => calls.get(tool)!.reduce((sum, { took = 0 }) => sum + took, 0);
  return [...calls.keys()]
    .sort((a, b) => total(b) - total(a) || calls.get(b)!.length - calls.get(a)!.length)
    .map((name) => statsOf(name, calls.get(name)!, items, offered));
}

/** Returns statistics of the tools of a view: on a timeline, those of each server. */
export function toolStatsOf({ items, sessions }: Pick<View, 'items' | 'sessions'>): ToolStats[] {
  if (sessions === undefined) return toolStats(items);
  return sessions.flatMap(({ label, view }) => toolStats(view.items).map((stats) => ({ ...stats, server: label })));
}

function statsOf(
  name: string,
  calls: readonly Item[],
  items: readonly Item[],
  offered: Map<string, OfferedTool> | undefined,
): ToolStats {
  const times = calls.flatMap(({ took, fate }) => (fate === 'cancelled' ? [] : (took ?? []))).sort((a, b) => a - b);
  const sizeOf = (item: Item | undefined) => item?.bytes ?? 0;
  const tool = offered?.get(name);
  return {
    name,
    isOffered: offered && tool !== undefined,
    calls: calls.length,
    errors: calls.filter(({ fate }) => fate === 'error').length,
    unanswered: calls.filter(({ fate }) => fate === 'pending' || fate === 'cancelled').length,
    ...(times.length > 0 && {
      p50: percentile(times, 0.5),
      p95: percentile(times, 0.95),
      slowest: times.at(-1)!,
    }),
    sent: calls.reduce((sum, call) => sum + sizeOf(call), 0),
    received: calls.reduce((sum, { answer }) => sum + sizeOf(items[answer ?? -1]), 0),
    ...(tool && { definition: new TextEncoder().encode(JSON.stringify(tool)).length }),
  };
}

/** Estimates the tokens of a text for a language model: about four bytes each in English or JSON. */
export function tokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}
