import { messageTitle } from '../contract/message-title.ts';
import { inPlacesOf } from '../diff/known-ids-in-text.ts';
import { leavesOf } from '../kernel/validate-fields.ts';
import { areTimes } from '../match/volatile-text-parts.ts';
import type { Span } from '../protocol/json-scan.ts';
import { isRequest, resultOf } from '../protocol/message.ts';
import { valueAt } from '../protocol/scalar-key.ts';
import { isLikelyId } from '../replay/tokens/ids-in-text.ts';
import { textOf } from '../replay/tokens/returned-values.ts';
import { followedPlaceholders, replacedValues } from '../verify/compare/server-made-values.ts';
import type { ServerRun } from '../verify/run/run-recorded-client.ts';
import { isCall } from './is-call.ts';

/**
 * Returns a note for each recorded value that looks like an id, that the live server replaced by another value, and
 * that the recorded client does not send back. The live client has to send the new value.
 */
export function changedIdNotes(run: ServerRun): string[] {
  const known = new Set(replacedValues(run).map(({ recorded }) => recorded));
  const notes = [...followedPlaceholders(run)].map(
    (placeholder) =>
      `The live client has to send the live value of ${placeholder}, which is not shown because it is redacted. A client that makes the recorded calls itself gets it translated: --with-client.`,
  );
  for (const { request, recorded, live } of run.exchanges) {
    if (!isRequest(request.message) || !isCall(request.message)) continue;
    for (const { value, path } of leavesOf(resultOf(recorded?.message), ['result'])) {
      const [text, now] = [textOf(value), textOf(valueAt(live.value, path))];
      if (text === undefined || now === undefined || text === now) continue;
      for (const [before, after] of changedIn(text, now)) {
        if (known.has(before)) continue;
        known.add(before);
        notes.push(
          `${messageTitle(request.message)} (line ${request.line}) returned "${after}" in place of "${before}", which a rule leaves out: the live client has to send the new one.`,
        );
      }
    }
  }
  return notes;
}

/** Matches words that may be ids, without the punctuation around them in texts and in JSON. */
const WORD = /[^\s"'`,;()[\]{}<>]*[\w=]/g;

/** Returns pairs of id-like values that differ at the same place of two texts. */
function changedIn(text: string, now: string): [before: string, after: string][] {
  const words = [...text.matchAll(WORD)].filter(([word]) => isLikelyId(word));
  const spans = words.map(({ 0: word, index }): Span => ({ start: index, end: index + word.length }));
  const lives = inPlacesOf(text, spans, now) ?? [];
  return lives.flatMap((live, index): [string, string][] => {
    const before = words[index]![0];
    return live === before || areTimes([before, live]) ? [] : [[before, live]];
  });
}
