import { correlateMoves } from '../cassette/correlate.ts';
import { type Move, movesOf } from '../cassette/moves.ts';
import type { Cassette } from '../cassette/types.ts';
import type { Side } from '../channel/frame.ts';
import { compared } from '../contract/compared.ts';
import { joined } from '../contract/joined.ts';
import { LISTS } from '../contract/list-change.ts';
import { VOLATILE } from '../contract/volatile.ts';
import { type Identity, identityOf } from '../match/identity.ts';
import { escapeStep, type Pointer } from '../match/ignore.ts';
import { isNotification, isObject, isRequest, type Request } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';
import { subjectOf } from '../protocol/methods.ts';
import { Aliases } from './aliases.ts';
import { refusalOf } from './refusal.ts';

/** One thing that was said, and what two sessions are aligned by. */
export interface Saying {
  from: Side;
  /** For people: `tools/call "add"`. */
  title: string;
  line: number;
  identity: Identity;
  /** The message without what differs from run to run. */
  said: unknown;
}

/** A request, and all that came of it. */
export interface Talk extends Saying {
  request: Request;
  /** The answer without what differs from run to run; of a list, all of its pages. Absent: there was none. */
  answer?: unknown;
  /** Over HTTP: what came in the place of an answer, such as `HTTP 404 Session not found`. */
  refused?: string;
  isCancelled: boolean;
  /** How many reports of progress came. */
  progress: number;
  /** Positions on the tape. Without an answer it never ended. */
  began: number;
  ended: number;
}

/** A session by what it means: who asked what and what came of it, what was said beside, how it ended. */
export interface Story {
  talks: Talk[];
  /** Notifications, but for progress and cancels, which belong to a talk. */
  sayings: Saying[];
  /** Lines of the protocol's stream that are no messages. */
  junk: { line: number; text: string }[];
  /** The status or signal with which the server's process ended. */
  exit?: number | string;
}

/** What a client says of itself or makes up anew with every run. */
const VOLATILE_ASKED: readonly Pointer[] = [
  '/params/_meta/progressToken',
  '/params/clientInfo/version',
  `/params/_meta/${escapeStep(META.clientInfo)}/version`,
  '/params/requestState',
];

/** Asked again and again until something has come about; how often is chance, and the last answer counts. */
const POLLED: ReadonlySet<string> = new Set(['ping', 'tasks/get']);

const PART_OF_TALKS: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/cancelled']);

/** The story of a tape. `ignore` names what does not count beside what is always volatile. */
export function storyOf({ events }: Cassette, ignore: readonly Pointer[] = []): Story {
  const moves = movesOf(events);
  const links = correlateMoves(moves);
  const aliases = new Aliases();
  const heard = [...VOLATILE, ...ignore];
  const asked = [...heard, ...VOLATILE_ASKED];
  const story: Story = { talks: [], sayings: [], junk: [] };

  const sayingOf = (move: Move, title: string): Saying => ({
    from: move.from,
    title,
    line: move.line,
    identity: identityOf(move.json!, [...ignore, (message) => aliases.renamed(message)]),
    said: withoutNothing(aliases.renamed(compared(move.json, asked))),
  });
  for (const move of moves) {
    const { frame, message, line, index, from } = move;
    aliases.pass(move, moves[links.requestOf.get(index) ?? -1]);
    if (isRequest(message)) {
      const answer = moves[links.answerOf.get(index) ?? -1];
      const refused = answer === undefined ? refusalOf(move, moves) : undefined;
      tell(story.talks, {
        ...sayingOf(move, subjectOf(message.method, message.params)),
        request: message,
        ...(answer && { answer: compared(answer.json, heard) }),
        ...(refused !== undefined && { refused }),
        isCancelled: links.cancelOf.has(index),
        progress: links.progressBy.get(index)?.length ?? 0,
        began: index,
        ended: answer?.index ?? Number.POSITIVE_INFINITY,
      });
    } else if (isNotification(message)) {
      if (!PART_OF_TALKS.has(message.method)) story.sayings.push(sayingOf(move, message.method));
    } else if (frame.kind === 'noise' && frame.on === 'protocol') {
      story.junk.push({ line, text: `${from}: ${String(frame.data)}` });
    } else if (frame.kind === 'exit') story.exit = frame.status;
  }
  return story;
}

/** Params, arguments and `_meta` that hold nothing say what absent ones say. */
function withoutNothing(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.params)) return message;
  const { params, ...bare } = message;
  const kept = Object.entries(params).filter(([name, value]) => !(MAY_BE_EMPTY.has(name) && isEmpty(value)));
  return kept.length === 0 ? bare : { ...message, params: Object.fromEntries(kept) };
}

const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['arguments', '_meta']);

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Adds a talk, or lets it go on with one before it: the next page of a list, or another poll. */
function tell(talks: Talk[], talk: Talk): void {
  const { method, params } = talk.request;
  const isPage = LISTS.has(method) && params?.cursor !== undefined;
  const before = isPage
    ? talks.findLast(({ from, request }) => from === talk.from && request.method === method)
    : POLLED.has(method)
      ? talks.findLast(({ from, identity }) => from === talk.from && identity.key === talk.identity.key)
      : undefined;
  if (before === undefined) return void talks.push(talk);
  before.ended = talk.ended;
  if (talk.answer !== undefined)
    before.answer = isPage ? joined(method, before.answer, talk.answer) : talk.answer;
}
