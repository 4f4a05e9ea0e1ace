import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { type Ignore, type Pointer, parsePointer } from '../../match/ignore-rules.ts';
import { pointerOf } from '../../protocol/json-pointer.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { isObject } from '../../protocol/message.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { capturedValues } from '../../replay/tokens/captured-values.ts';
import { sentTexts, textOf } from '../../replay/tokens/returned-values.ts';
import { leftOutValues } from '../../replay/tokens/short-left-out-values.ts';
import { pathsOf } from '../../replay/tokens/token-locations.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';
import { withOwnRules } from './gather-answers.ts';
import { leadsTo, type WrongId } from './inconsistent-server-ids.ts';
import { stateOf } from './server-made-values.ts';

/**
 * Returns a note for each value that a rule leaves out of an answer, and that a later request sent as recorded, though
 * the live answer has another one. Such a value does not look like an id: it is too short, or a word.
 */
export function unfollowedNotes(run: ServerRun, ignore: readonly Ignore[]): string[] {
  const followed = new Set(run.returned.values.map(({ recorded }) => recorded));
  /** Answers with left out values that differ, and their places there, by value. */
  const changed = new Map<string, ChangedValue & { line: number }>();
  const own = new Set<string>();
  const answers = new Map(run.exchanges.map((exchange) => [exchange.recorded?.index, exchange]));
  const notes: string[] = [];
  for (const entry of run.plan.entries) {
    const exchange = answers.get(entry.index);
    if (exchange !== undefined)
      for (const one of changedValues(exchange, ignore))
        if (!own.has(one.value) && !changed.has(one.value)) changed.set(one.value, { ...one, line: entry.line });
    for (const { text, path } of sentAsRecorded(entry, run)) {
      const source = changed.get(text);
      if (source === undefined) own.add(text);
      else if (!followed.has(text)) notes.push(noteOf(source, { line: entry.line, use: pointerOf(path) }));
    }
  }
  return [...new Set(notes)];
}

function noteOf({ value, line, capture }: ChangedValue & { line: number }, to: { line: number; use: Pointer }): string {
  const sent = `The value "${value}" of the answer at line ${line} was sent as recorded at line ${to.line}, since it does not look like an id.`;
  const handles =
    capture === undefined
      ? 'name its places in a test, with "handles".'
      : `name its places in a test: handles: [{ capture: '${capture}', use: '${to.use}' }]`;
  return `${sent} If it is one, ${handles}`;
}

/** Returns a note for each rule of the option `handles` that replaced nothing, with the reason. */
export function idleHandleNotes({ handles = [], plan: { entries, links } }: ServerRun): string[] {
  const hasValue = (side: SessionEntry['from'], pointer: Pointer) =>
    entries.some(({ from, message }) => {
      if (from !== side || message === undefined) return false;
      return pathsOf(message, pointer).some((path) => textOf(valueAt(message, path)) !== undefined);
    });
  return handles.flatMap((rule, index) => {
    if (capturedValues(entries, links, [rule]).values.length > 0) return [];
    const { capture, use } = rule;
    const why = !hasValue('server', capture)
      ? `no answer of the cassette has a text or number at ${capture}`
      : !hasValue('client', use)
        ? `no request of the cassette has a text or number at ${use}`
        : `no request of the cassette sends at ${use} what an earlier answer returned at ${capture}`;
    return `handles[${index}] replaced nothing: ${why}. Name the places of one value as JSON Pointers from the root of the message.`;
  });
}

function sentAsRecorded(entry: SessionEntry, { sentRequests }: ServerRun): { text: string; path: JsonPath }[] {
  const sent = sentRequests.get(entry.index);
  if (sent === undefined) return [];
  return sentTexts(entry).filter(({ text, path }) => textOf(valueAt(sent.value, path)) === text);
}

/**
 * Returns a finding for each value of an answer that the rule for its place leaves out, that a later request sends, and
 * that is gone or of another type in the live answer: no client can send it. A rule for the object around it lets that pass.
 */
export function lostValues(
  { request, recorded, live }: Exchange,
  run: ServerRun,
  ignore: readonly Ignore[],
): WrongId[] {
  if (recorded === undefined || !isResult(live.value)) return [];
  const rules = withOwnRules(ignore, request, recorded);
  const pointers = rules.flatMap((rule) => (typeof rule === 'string' ? [parsePointer(rule)] : []));
  const lost = new Map<Pointer, WrongId>();
  for (const { isCaptured = false, returned, alsoReturned = [], sent } of run.returned.values) {
    if (returned.entry !== recorded.index || isCaptured) continue;
    for (const { path, span } of [returned, ...alsoReturned]) {
      const [before, now] = [recorded.json?.value, live.value].map((message) => valueAt(message, path));
      const isRuled = pointers.some((pointer) => pointer.length === path.length && leadsTo(pointer, path));
      if (span !== undefined || !isRuled || typeof now === typeof before) continue;
      const { message, line } = run.plan.entries[sent.entry]!;
      const words = `${pointerOf(path)} is ${stateOf(now)}, and ${messageTitle(message)} (line ${line}) sends what was there`;
      lost.set(pointerOf(path), { path: pointerOf(path), words, isHidden: true });
    }
  }
  return [...lost.values()];
}

/** A recorded value that rules leave out. */
interface ChangedValue {
  value: string;
  /** Its place in the answer. Absent: it is a part of a text there. */
  capture?: Pointer;
}

/** Returns the recorded values that rules leave out of an answer, and that the live answer does not have. */
function changedValues({ request, recorded, live }: Exchange, ignore: readonly Ignore[]): ChangedValue[] {
  if (recorded === undefined) return [];
  return leftOutValues(recorded, withOwnRules(ignore, request, recorded)).flatMap(({ text, path, span }) => {
    const [value, now] = [text.slice(span.start, span.end), textOf(valueAt(live.value, path))];
    if (now === undefined || now === text || value === '' || now.includes(value)) return [];
    return [{ value, ...(value === text && { capture: pointerOf(path) }) }];
  });
}

function isResult(message: unknown): boolean {
  return isObject(message) && 'result' in message;
}
