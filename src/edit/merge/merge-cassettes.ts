import { TITLE } from '../../cassette/cassette.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { listedRulesIn, listRedactRules } from '../../record/redact-file/write-applied-rule-names.ts';
import { cassetteLines } from '../cassette-lines.ts';
import { eventLinks } from '../event-dependencies.ts';
import { type EditedCassette, type EditedEvent, renderEditedCassette } from '../render-edited-cassette.ts';
import { sessionSections } from '../sessions-in-cassette.ts';
import { type Handshake, handshakeMismatch, handshakeOf } from './compare-handshakes.ts';
import { endingOf, type JoinedCassette, repeatedOpening } from './events-dropped-at-joint.ts';
import { FreshPlaceholders } from './fresh-placeholders.ts';
import { FreshRequestIds } from './fresh-request-ids.ts';

/** A cassette to merge. */
export interface CassetteText {
  text: string;
  file: string;
}

/** A cassette merged from several ones. */
export interface MergedCassette {
  text: string;
  counts: {
    /** Number of kept events. */
    kept: number;
    /** Number of removed events, which repeated the handshake or ended a session that continues. */
    leftOut: number;
    /** Number of requests with a new id. */
    renumbered: number;
    /** Number of placeholders of secrets with a new number. */
    placeholders: number;
  };
  warnings: readonly string[];
}

export interface MergeOptions {
  /** Whether equal placeholders stand for the same secret in all cassettes. */
  sameSecrets?: boolean;
}

interface Origin extends JoinedCassette {
  opening: Handshake;
}

/**
 * Concatenates the events of cassettes. Over stdio, and from 2026-07-28 on, they become one session: the handshake is
 * kept once, and only the last cassette ends the session. Other HTTP sessions stay separate. Lines keep their bytes,
 * except for ids, progress tokens, streams and placeholders already in use.
 * @throws McpRecordError as `parseCassette`; USAGE_CANNOT_MERGE, CASSETTE_NOT_EDITED
 */
export function mergeCassettes(
  inputs: readonly CassetteText[],
  out: string,
  { sameSecrets = false }: MergeOptions = {},
): MergedCassette {
  const origins = inputs.map(({ text, file }): Origin => {
    const lines = cassetteLines(text, file);
    const links = eventLinks(lines.editable.cassette);
    const sections = sessionSections(lines.editable.cassette, links);
    return { file, lines, links, sections, opening: handshakeOf(links) };
  });
  const first = origins[0]!;
  const isHttp = first.lines.editable.cassette.header.transport === 'http';
  const isApart = isHttp && origins.some(({ opening }) => opening.isInitialized);
  for (const other of origins.slice(1)) requireAlike(first, other, isApart);
  const tokens = new FreshRequestIds();
  const secrets = new FreshPlaceholders();
  const counts = { kept: 0, leftOut: 0 };
  const parts: (EditedEvent | string)[] = [];
  let streams = 0;
  for (const [number, origin] of origins.entries()) {
    const { lines, links } = origin;
    const { events } = lines.editable.cassette;
    const isLast = number === origins.length - 1;
    const leftOut = new Set([
      ...(isApart || number === 0 ? [] : repeatedOpening(first, origin)),
      ...(isApart || isLast ? [] : endingOf(origin)),
    ]);
    const isKept = (event: number) => !leftOut.has(event);
    const changes = isHttp ? undefined : tokens.add(links, isKept);
    const [kept, dropped] = [true, false].map((which) =>
      events.flatMap((_, event) => (isKept(event) === which ? [lines.events[event]!.text] : [])),
    ) as [string[], string[]];
    const placeholders = sameSecrets ? undefined : secrets.add(kept, dropped);
    const own = events.flatMap(({ frame: { stream } }) => (stream === undefined ? [] : [stream]));
    const shiftStreams = own.some((stream) => stream <= streams) ? streams : 0;
    if (number > 0) parts.push(...commentsIn(lines.head));
    for (const [event, { frame }] of events.entries()) {
      if (!isKept(event)) continue;
      parts.push({
        origin: lines,
        lines: lines.events[event]!,
        tokens: changes?.get(event),
        placeholders,
        stream: frame.stream === undefined || shiftStreams === 0 ? undefined : frame.stream + shiftStreams,
        shift: first.lines.indent - lines.indent,
      });
    }
    streams = own.reduce((highest, stream) => Math.max(highest, stream + shiftStreams), streams);
    counts.kept += events.length - leftOut.size;
    counts.leftOut += leftOut.size;
    if (!isLast) parts.push(...commentsIn(lines.tail));
  }
  const rendered = renderEditedCassette({ head: first.lines.head, ...ended(parts, origins), file: out });
  return {
    text: withListedRules(rendered, inputs, origins, out),
    counts: { ...counts, renumbered: tokens.renumbered, placeholders: secrets.renumbered },
    warnings: origins.flatMap(({ lines }) => lines.editable.cassette.warnings),
  };
}

/** Adds the redaction rules of all cassettes to the header, if at least one cassette lists rules. */
function withListedRules(
  text: string,
  inputs: readonly CassetteText[],
  origins: readonly Origin[],
  out: string,
): string {
  const lists = origins.map(({ lines }) => lines.editable.cassette.header.redactRules);
  if (lists.every((names) => names === undefined)) return text;
  const names = lists.flatMap((list, index) => listedRulesIn(inputs[index]!.text, list));
  return listRedactRules({ text, file: out }, '', names);
}

/** Adds the `end:` entry of the last cassette with one. A recorded cassette without this entry counts as cut off. */
function ended(parts: EditedCassette['parts'], origins: readonly Origin[]): Pick<EditedCassette, 'parts' | 'tail'> {
  const first = origins[0]!.lines;
  const last = origins.at(-1)!.lines;
  const isCutOff = last.editable.tail !== undefined;
  const origin = origins.map(({ lines }) => lines).findLast(({ editable }) => editable.cassette.end !== undefined);
  const end = origin?.events[origin.editable.cassette.events.length];
  if (isCutOff || origin === undefined || end === undefined) return { parts, tail: last.tail };
  return { parts: [...parts, { origin, lines: end, shift: first.indent - origin.indent }], tail: last.tail };
}

/** Returns the comments outside of events, without the recorder's title. */
function commentsIn(text: string): string[] {
  const lines = text.split(/(?<=\n)/).filter((line) => /^\s*#/.test(line) && !line.startsWith(TITLE));
  return lines.length === 0 ? [] : [lines.join('')];
}

function requireAlike(first: Origin, other: Origin, isApart: boolean): void {
  const [one, two] = [first, other].map(({ lines }) => lines.editable.cassette.header);
  if (one!.transport !== two!.transport)
    throw cannotMerge(other, `it was recorded over ${two!.transport}, and ${first.file} over ${one!.transport}`, APART);
  if (one!.url !== two!.url)
    throw cannotMerge(other, `its server is at ${two!.url}, and that of ${first.file} at ${one!.url}`, APART);
  const { revision } = first.opening;
  if (revision !== undefined && other.opening.revision !== undefined && revision !== other.opening.revision)
    throw cannotMerge(other, `its revision is ${other.opening.revision}, and that of ${first.file} ${revision}`, APART);
  if (isApart) return;
  const difference = handshakeMismatch(first.opening, other.opening);
  if (difference !== undefined)
    throw cannotMerge(
      other,
      `${difference} is not the same as in ${first.file}, and one session has one handshake`,
      APART,
    );
  if (first.sections.handshakes[0]!.size === 0 && other.opening.isInitialized)
    throw cannotMerge(other, `it has a handshake, and ${first.file} before it has none`, `Name ${other.file} first.`);
}

const APART = 'Keep them as two cassettes: mcp-record replay --http takes a folder of them.';

function cannotMerge({ file }: Origin, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'USAGE_CANNOT_MERGE', what: `Cannot merge ${file}`, why, next });
}
