import { readFileSync } from 'node:fs';
import type { Cassette, CassetteEvent, EventMatch } from '../../cassette/cassette.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { replaceFile } from '../../cassette/write/atomic-write.ts';
import { commentsIn } from '../../diff/cassette-settings-text.ts';
import { correspondingIds } from '../../diff/corresponding-ids.ts';
import {
  type Interaction,
  type SentMessage,
  type SessionInteractions,
  sessionInteractions,
} from '../../diff/session-interactions.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { SessionSurroundings } from '../../modes/open-session.ts';
import { insertMatchRules } from './insert-match-rules.ts';
import { type LostRule, lostCommentsNote, lostRulesNote, unreadRulesNote } from './lost-rules-notes.ts';
import { pairSameMessages } from './pair-same-messages.ts';

/** A cassette that a new recording is about to replace. */
export interface ReplacedCassette {
  /** Path of the cassette. */
  file: string;
  /** Path of the new recording. Absent: nothing replaces the cassette, which is deleted. */
  recording?: string;
  /** Parts of messages that are not compared. */
  ignore?: readonly Ignore[] | undefined;
}

/** Surroundings of a session whose new recording gets the rules of the cassette that it replaces. */
export const carryingRules: SessionSurroundings = { carryOver: carryMatchRules };

/**
 * Writes the rules of `match` of a cassette into the new recording, each beside the message that is clearly the same.
 * Returns notes on rules and comments that the new recording lacks.
 */
export function carryMatchRules({ file, recording, ignore = [] }: ReplacedCassette): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // Who replaces the file reports what is wrong with it.
    return [];
  }
  const comments = lostCommentsNote(file, commentsIn(text));
  if (!MATCH_KEY.test(text)) return comments;
  try {
    const former = loadCassette(file);
    if (former.events.every(({ match }) => match === undefined)) return comments;
    const lost = recording === undefined ? everyRule(former) : carry(former, { text, recording, ignore });
    return [...lostRulesNote(file, lost), ...comments];
  } catch (error) {
    return [unreadRulesNote(file, error), ...comments];
  }
}

/** Key in the text of each cassette with rules, and in some others. */
const MATCH_KEY = /(?:^|[\s{,])["']?match["']?\s*:/m;

interface Recording {
  /** Text of the cassette. */
  text: string;
  /** Path of the recording. */
  recording: string;
  ignore: readonly Ignore[];
}

/** Carries rules of a cassette over to a recording, and returns the other rules. */
function carry(former: Cassette, { text, recording, ignore }: Recording): LostRule[] {
  const now = loadCassette(recording);
  const [before, made] = [sessionInteractions(former, ignore), sessionInteractions(now, ignore)];
  const after = correspondingIds(before, made).inTermsOfFirst(made);
  const ruled = (event: number) => former.events[event]!.match !== undefined;
  const rulesOf = (message: SentMessage) =>
    canonicalJson([...message.events, ...answersOf(message)].map((event) => former.events[event]!.match ?? null));
  const { pairs, unclear } = pairSameMessages(messagesOf(before), messagesOf(after), rulesOf);
  /** Events of the cassette whose rules the events of the recording get. */
  const origins = new Map<number, number>();
  const carried = new Set<number>();
  for (const [one, other] of pairs)
    for (const [event, target] of [...zip(one.events, other.events), ...zip(answersOf(one), answersOf(other))]) {
      if (!ruled(event) || !isSameKind(former.events[event]!, now.events[target]!)) continue;
      if (!origins.has(target)) origins.set(target, event);
      carried.add(event);
    }
  if (origins.size > 0) {
    const written = readFileSync(recording, 'utf8');
    const texts = [
      { cassette: now, text: written },
      { cassette: former, text },
    ] as const;
    replaceFile(recording, insertMatchRules(...texts, origins));
  }
  const owners = ownersOf(before);
  return former.events.flatMap(({ match, line }, event) =>
    match === undefined || carried.has(event) ? [] : [lostRule({ match, line }, owners.get(event), unclear)],
  );
}

function zip(some: readonly number[], others: readonly number[]): [number, number][] {
  return some.slice(0, others.length).map((one, index) => [one, others[index]!]);
}

/** Reports whether an event can have the rules of another one, and has none of its own. */
function isSameKind({ frame }: CassetteEvent, { frame: other, match }: CassetteEvent): boolean {
  return match === undefined && frame.kind === other.kind && frame.from === other.from;
}

function messagesOf({ interactions, sentMessages }: SessionInteractions): SentMessage[] {
  return [...interactions, ...sentMessages];
}

function answersOf(message: SentMessage): readonly number[] {
  return (message as Partial<Interaction>).answerEvents ?? [];
}

/** Message that an event belongs to. */
interface Owner {
  message: SentMessage;
  isAnswer: boolean;
}

/** Returns the owners of events, by event. */
function ownersOf(session: SessionInteractions): Map<number, Owner> {
  const owners = messagesOf(session).flatMap((message): [number, Owner][] => [
    ...message.events.map((event): [number, Owner] => [event, { message, isAnswer: false }]),
    ...answersOf(message).map((event): [number, Owner] => [event, { message, isAnswer: true }]),
  ]);
  return new Map(owners);
}

function lostRule(
  rule: { match: EventMatch; line: number },
  owner: Owner | undefined,
  unclear: ReadonlyMap<SentMessage, number>,
): LostRule {
  if (owner === undefined) return { ...rule, why: 'it is beside no request, answer or notification' };
  const { message, isAnswer } = owner;
  const count = unclear.get(message);
  const why =
    count === undefined
      ? 'no new message is the same'
      : `which of ${formatCount(count, 'new message')} is the same is not clear`;
  return { ...rule, title: isAnswer ? `the answer to ${message.title}` : message.title, why };
}

function everyRule({ events }: Cassette): LostRule[] {
  return events.flatMap(({ match, line }) =>
    match === undefined ? [] : [{ match, line, why: 'this session was not recorded again' }],
  );
}
