import type { Cassette } from '../cassette/cassette.ts';
import { joinLists } from '../contract/joined-lists.ts';
import { type Ignore, rulesAsWritten, without } from '../match/ignore-rules.ts';
import { jsonOf } from '../protocol/json-text.ts';
import { paramsOf } from '../protocol/message.ts';
import { placeholderOf, placeholdersIn } from '../redact/replace/placeholder-format.ts';
import { acceptedArguments, ignoredBy } from '../replay/match/recorded-request.ts';
import { shellWord } from '../text-report/shell-word.ts';
import type { Interaction, SentMessage } from './session-interactions.ts';
import { withoutEmptyMembers } from './session-interactions.ts';

/**
 * Returns two corresponding messages without the parts ignored by rules of `match` beside the first one. These rules
 * apply to both messages, as in `verify`; rules beside the second message are not applied. Undefined if the first
 * message has no such rules.
 */
export function withoutRuledOut<Message extends SentMessage>(
  a: Message,
  b: Message,
): readonly [Message, Message] | undefined {
  const rules = requestRules(a, b);
  const answers = isInteraction(a) && isInteraction(b) ? answersWithout(a, b) : undefined;
  if (rules.length === 0 && answers === undefined) return undefined;
  return [
    { ...a, said: withoutEmptyMembers(without(a.said, rules)), ...answers?.a },
    { ...b, said: withoutEmptyMembers(without(b.said, rules)), ...answers?.b },
  ];
}

/**
 * Returns the rules for a message itself. Those for arguments hold only if they accept the other arguments, as where a
 * mock server finds a recorded request.
 */
export function requestRules({ match, request }: SentMessage, other: SentMessage): readonly Ignore[] {
  if (match === undefined) return [];
  const { arguments: pattern, ...others } = match;
  const live = paramsOf(other.request).arguments ?? {};
  const accepts = acceptedArguments(match, paramsOf(request).arguments ?? {});
  const isAccepted = pattern !== undefined && (accepts?.(live) ?? true);
  return ignoredBy(isAccepted ? match : others);
}

function isInteraction(message: SentMessage): message is Interaction {
  return 'pages' in message;
}

type Answered = Pick<Interaction, 'answer' | 'took'>;

/**
 * Returns both answers without the parts ignored by rules beside the first request and its answer. Undefined if these
 * rules ignore nothing.
 */
function answersWithout(a: Interaction, b: Interaction): { a: Answered; b: Answered } | undefined {
  if (hasOptionalAnswer(a) && b.refused === undefined && a.isCancelled === b.isCancelled) {
    const { answer, took } = a;
    const same = { answer, ...(took !== undefined && { took }) };
    return { a: same, b: same };
  }
  const rules = a.pages.map(({ ignore }) => rulesAsWritten(ignore));
  if (rules.every(({ length }) => length === 0)) return undefined;
  return { a: { answer: answerWithout(a, rules) }, b: { answer: answerWithout(b, rules) } };
}

/** Reports whether another server may answer otherwise, or not at all. */
function hasOptionalAnswer({ pages }: Interaction): boolean {
  return pages.some(({ isOptional }) => isOptional);
}

/** Returns an answer without the parts that rules name, by page. Further pages have the rules of the last one. */
function answerWithout({ pages, request }: Interaction, rules: readonly (readonly Ignore[])[]): unknown {
  return pages.reduce<unknown>((joined, { answer }, index) => {
    const page = without(answer, rules[Math.min(index, rules.length - 1)] ?? []);
    return index === 0 ? page : joinLists(request.method, joined, page);
  }, undefined);
}

/** Comparison of a pair of messages. */
interface Compared<Difference> {
  /** The message of the first session. */
  one: SentMessage;
  /** Difference of the pair. Absent if there is none that counts. */
  entry: Difference | undefined;
  /** Whether the messages differ only in parts that the rules of `match` beside the first message ignore. */
  isRuledOut: boolean;
}

/** Compares a pair of messages without the parts ignored by rules beside the first one. */
export function withRules<Message extends SentMessage, Difference>(
  [one, other]: readonly [Message, Message],
  compare: (one: Message, other: Message) => Difference | undefined,
): Compared<Difference> {
  const [entry, ruled] = [compare(one, other), withoutRuledOut(one, other)];
  if (entry === undefined || ruled === undefined) return { one, entry, isRuledOut: false };
  const left = compare(...ruled);
  return { one, entry: left, isRuledOut: left === undefined };
}

const LINES_MAX = 10;

/** Returns a note on messages whose differences are all ignored by rules of the first cassette. */
export function ruledOutNotes({ file }: Cassette, compared: readonly Compared<unknown>[]): string[] {
  const lines = compared.flatMap(({ one, isRuledOut }) => (isRuledOut ? [one.line] : [])).sort((x, y) => x - y);
  if (lines.length === 0) return [];
  const more = lines.length > LINES_MAX ? ` and ${lines.length - LINES_MAX} more` : '';
  const places = `${lines.slice(0, LINES_MAX).join(', ')}${more}`;
  return [`Rules (match) of ${file} leave out all that differs of the messages at line ${places}.`];
}

const PLACEHOLDERS_MAX = 10;

/**
 * Returns notes on redacted values: those that both messages of a pair have are equal whatever they stand for, and those
 * that one session has in place of a value cannot be equal.
 */
export function redactedValueNotes(
  cassettes: readonly [a: Pick<Cassette, 'file' | 'header'>, b: Pick<Cassette, 'file' | 'header'>],
  pairs: readonly (readonly [SentMessage, SentMessage])[],
): string[] {
  const files = cassettes.map(({ file }) => file);
  const [rulesOfA, rulesOfB] = cassettes.map(({ header }) => header.redactRules?.join('\n'));
  const areSameRules = rulesOfA !== undefined && rulesOfA === rulesOfB;
  const found = pairs.map(([one, other]) => [placeholdersOf(one), placeholdersOf(other)] as const);
  const both = [...new Set(found.flatMap(([one, other]) => [...one].filter((each) => other.has(each))))];
  const isOnlyIn = (side: 0 | 1) => found.some((each) => each[side].size > 0 && each[1 - side]!.size === 0);
  const clear = files.filter((_, side) => isOnlyIn(side === 0 ? 1 : 0));
  const more = both.length > PLACEHOLDERS_MAX ? ` and ${both.length - PLACEHOLDERS_MAX} more` : '';
  const shown = `${both.slice(0, PLACEHOLDERS_MAX).join(', ')}${more}`;
  return [
    ...(both.length === 0
      ? []
      : [
          both.length === 1
            ? `${shown} was not compared with a value: it may stand for another one now, also of another type.`
            : `${shown} were not compared with values: each may stand for another one now, also of another type.`,
        ]),
    ...clear.map((file) => {
      const what = `${file} has values where ${files.find((each) => each !== file) ?? file} has placeholders.`;
      return areSameRules
        ? `${what} Both were redacted by rules of the same names, which do not find these values. Leave their places out: --ignore POINTER.`
        : `${what} Redact it by the same rules first: mcp-record redact --redact-rules FILE ${shellWord(file)}.`;
    }),
  ];
}

function placeholdersOf(message: SentMessage): Set<string> {
  const { said, answer } = message as SentMessage & { answer?: unknown };
  const texts = [said, answer].map((value) => jsonOf(value) ?? '');
  return new Set(texts.flatMap(placeholdersIn).map(({ name, n }) => placeholderOf(name, n)));
}
