import { readFileSync } from 'node:fs';
import type { Cassette } from '../../cassette/cassette.ts';
import { type EditableEvent, editableCassette } from '../../cassette/edit/editable-cassette.ts';
import { lineOfPlace } from '../../cassette/edit/line-of-place.ts';
import { type Interaction, type SentMessage, sessionInteractions } from '../../diff/session-interactions.ts';
import type { Change } from '../../match/contract-change-types.ts';
import { differences } from '../../match/json-difference.ts';
import { parsePointer } from '../../protocol/json-pointer.ts';
import type { Step } from '../../text-report/outcome-model.ts';

/**
 * Returns the failed steps of a comparison at the lines of the newer cassette that have changed: a pull request shows
 * these, and seldom the request, whose line the step has. Steps of another file stay.
 */
export function stepsAtChangedLines(steps: readonly Step[], newer: Cassette): Step[] {
  const isHere = ({ status, file, line }: Step) => status === 'failed' && file === newer.file && line !== undefined;
  if (!steps.some(isHere)) return [...steps];
  const events = editableCassette(textOf(newer.file), newer.file).events.map(parsedOnce);
  const { interactions, sentMessages } = sessionInteractions(newer);
  const messages = new Map<number, SentMessage & Partial<Interaction>>(
    [...sentMessages, ...interactions].map((one) => [one.line, one]),
  );
  return steps.map((step) => {
    const message = isHere(step) ? messages.get(step.line!) : undefined;
    if (message === undefined) return step;
    const own = message.events.flatMap((at) => events[at] ?? []);
    const answers = message.answerEvents?.flatMap((at) => events[at] ?? []) ?? own;
    const changes = step.changes?.map((change) => withLine(change, answers));
    return { ...step, ...(changes && { changes }), line: lineOfDifference(step, { own, answers }) ?? step.line! };
  });
}

/** Returns an event whose mapping is parsed once: an answer may have many changes. */
function parsedOnce(event: EditableEvent): EditableEvent {
  let parsed: ReturnType<EditableEvent['node']> | undefined;
  return {
    ...event,
    node() {
      parsed ??= event.node();
      return parsed;
    },
  };
}

/** Returns a change with its line. What was removed has its pointer in the old message: its line is that around it. */
function withLine(change: Change, answers: readonly EditableEvent[]): Change {
  const path = parsePointer(change.path);
  const line = lineIn(answers, change.reason.endsWith(' was removed') ? path.slice(0, -1) : path);
  return line === undefined ? change : { ...change, line };
}

interface EventsOfMessage {
  own: readonly EditableEvent[];
  answers: readonly EditableEvent[];
}

/** Returns the line of the first difference. Values of a request and its answer are members of the compared values. */
function lineOfDifference({ recorded, live }: Step, { own, answers }: EventsOfMessage): number | undefined {
  if (recorded === undefined || live === undefined) return undefined;
  const [first] = differences(recorded, live);
  if (first === undefined) return undefined;
  const [part, ...path] = parsePointer(first.path);
  if (part === 'asked') return lineIn(own, path);
  return lineIn(answers, part === 'came' ? path : [part ?? '', ...path]);
}

/** Returns the line of a place in one event. Pages of a list are several, and have their first line. */
function lineIn([first, ...others]: readonly EditableEvent[], path: readonly string[]): number | undefined {
  return first && lineOfPlace(first, others.length > 0 ? [] : path);
}

/** Returns the text of a cassette with LF as line breaks. */
function textOf(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n');
}
