import { isRequest } from '../../protocol/message.ts';
import { type CassetteLines, cassetteLines } from '../cassette-lines.ts';
import { closureOf, type EventLinks, eventLinks } from '../event-dependencies.ts';
import { keptDelays } from '../kept-delays.ts';
import { renderEditedCassette } from '../render-edited-cassette.ts';
import { type SessionSections, sessionSections } from '../sessions-in-cassette.ts';
import { keptWithout } from './kept-without.ts';
import { missingIdSources } from './missing-id-sources.ts';
import { type CutSelection, leftOutLines, nothingSelected, selectedEvents } from './select-cut-events.ts';

export interface CutOptions {
  selection: CutSelection;
  /** Removes the selection instead of keeping it. */
  drop?: boolean;
}

/** A part of a cassette. */
export interface CutCassette {
  text: string;
  /**
   * Counts of events. `alsoKept`: kept though not selected, because a kept event depends on them or caused them.
   * `alsoDropped`: removed by `drop` though not selected, because they depend on a removed event.
   */
  counts: { all: number; kept: number; alsoKept: number; alsoDropped: number };
  warnings: readonly string[];
}

/**
 * Keeps the selected events of a cassette with all events they depend on: the rest of their calls, their HTTP
 * exchanges, the handshake and the end of their session. Calls selected by their tool keep the lists of tools. Lines of kept events keep their bytes; only `after` may change
 * after a removed event.
 * @throws McpRecordError as `parseCassette`; USAGE_… as `selectedEvents`; CASSETTE_NOT_EDITED
 */
export function keepSelectedEvents(text: string, file: string, { selection, drop = false }: CutOptions): CutCassette {
  const lines = cassetteLines(text, file);
  const { cassette } = lines.editable;
  const links = eventLinks(cassette);
  const sections = sessionSections(cassette, links);
  const context = { lines, entries: links.entries, sections };
  const selected = selectedEvents(selection, context);
  const all = cassette.events.length;
  const kept = drop
    ? keptWithout(selected, links, sections)
    : keptWith(selected, toolLists(selection, links), links, sections);
  const count = (isCounted: (event: number) => boolean) =>
    cassette.events.filter((_, event) => isCounted(event)).length;
  if (kept.size === (drop ? all : 0))
    throw nothingSelected(
      file,
      'the handshake alone is selected, and all else needs it',
      'Select calls, or a whole session.',
    );
  if (kept.size === 0)
    throw nothingSelected(file, 'nothing would be left', 'Select less, or leave --drop out to keep the selection.');
  return {
    text: keptText(lines, kept, keptDelays({ events: cassette.events, kept, spans: links.spans })),
    counts: {
      all,
      kept: kept.size,
      alsoKept: count((event) => kept.has(event) && selected.has(event) === drop),
      alsoDropped: drop ? count((event) => !kept.has(event) && !selected.has(event)) : 0,
    },
    warnings: [
      ...cassette.warnings,
      ...leftOutLines(selection, context, selected),
      ...missingIdSources({ selection, drop, links, kept }),
    ],
  };
}

/** Returns the kept events: selected events, the `lists` of their sessions, and all events that these depend on. */
function keptWith(
  selected: ReadonlySet<number>,
  lists: readonly number[],
  links: EventLinks,
  { of, frames }: SessionSections,
): Set<number> {
  const calls = closureOf(links.belongings, selected);
  const sessions = new Set([...calls].map((event) => of[event]!));
  const linked = closureOf(links.belongings, [...calls, ...lists.filter((event) => sessions.has(of[event]!))]);
  return new Set([...linked, ...[...sessions].flatMap((session) => [...frames[session]!])]);
}

/**
 * Returns the requests for lists of tools that calls selected by their tool need: most clients ask for the list first.
 * A selection that also names methods has no lists but those that it names.
 */
function toolLists({ tools = [], methods = [] }: CutSelection, { entries }: EventLinks): number[] {
  if (tools.length === 0 || methods.length > 0) return [];
  return entries.flatMap(({ from, message, event }) =>
    from === 'client' && isRequest(message) && message.method === 'tools/list' ? [event] : [],
  );
}

function keptText(origin: CassetteLines, kept: ReadonlySet<number>, delays: ReadonlyMap<number, number>): string {
  const { editable, head, events, tail } = origin;
  const { cassette } = editable;
  // The `end:` entry belongs to the recording, and is always kept.
  const isKept = (event: number) => kept.has(event) || event >= cassette.events.length;
  const parts = events.flatMap((lines, event) => (isKept(event) ? [{ origin, lines, delay: delays.get(event) }] : []));
  return renderEditedCassette({ head, parts, tail, file: cassette.file });
}
