import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/channel/frame.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  notification,
  progress,
  request,
  result,
  server,
} from '../support/conversation.ts';
import { type Cause, deviations, selfPlay } from '../support/self-play.ts';

type Act = {
  act: 'call' | 'answer' | 'ask' | 'reply' | 'progress' | 'cancel' | 'log' | 'change' | 'list';
  pick: number;
};

const NAMES = ['a', 'b'];

interface OpenCall {
  id: number;
  /** How often it has reported progress. */
  said: number;
  /** Positions of the frames that its next one follows. */
  last: number[];
  /** Its server's own request that waits for a reply; `proved`: no other call was open, so the cassette says whose it is. */
  asked?: { id: number; at: number; proved: boolean };
}

/** Turns any list of acts into a conversation that could have happened; both sides count their ids from 0. */
class Conversation {
  readonly frames: Frame[] = [];
  readonly causes: Cause[] = [];
  readonly #open: OpenCall[] = [];
  #clientId = 0;
  #serverId = 0;

  constructor(acts: readonly Act[]) {
    this.#exchange('initialize');
    this.#push(client(notification('initialized')));
    for (const act of acts) this.#perform(act);
    for (const call of [...this.#open]) {
      this.#reply(call);
      this.#answer(call);
    }
    this.#push(clientCloses);
  }

  #perform({ act, pick }: Act): void {
    if (act === 'call') return this.#call(pick);
    if (act === 'list') return this.#exchange('tools/list');
    if (act === 'log') return void this.#push(server(notification('message', { level: 'info', data: pick })));
    if (act === 'change') return void this.#push(server(notification('tools/list_changed')));
    const current = this.#open[pick % Math.max(1, this.#open.length)];
    if (current === undefined) return;
    if (act === 'reply') return this.#reply(current);
    if (act === 'progress') return void this.#follow(current, server(progress(current.id, ++current.said)));
    if (current.asked) return;
    if (act === 'ask') return this.#ask(current);
    if (act === 'answer') return this.#answer(current);
    this.#follow(current, client(cancel(current.id)));
    this.#open.splice(this.#open.indexOf(current), 1);
  }

  #exchange(method: string): void {
    const id = this.#clientId++;
    const asked = this.#push(client(request(id, method)));
    this.causes.push([asked, this.#push(server(result(id, `${method} ${id}`)))]);
  }

  #call(pick: number): void {
    const id = this.#clientId++;
    const last = this.#push(client(call(id, NAMES[pick % 2]!, { n: pick % 3 }, id)));
    this.#open.push({ id, said: 0, last: [last] });
  }

  #ask(call: OpenCall): void {
    const id = this.#serverId++;
    const ask = server(request(id, 'sampling/createMessage', { messages: [], maxTokens: id }));
    const proved = this.#open.length === 1;
    call.asked = { id, at: proved ? this.#follow(call, ask) : this.#push(ask), proved };
  }

  #reply(call: OpenCall): void {
    if (call.asked === undefined) return;
    const { id, at, proved } = call.asked;
    const reply = client(result(id, `sampled ${id}`));
    const replied = this.#push(reply);
    // Its question caused it, and not what else the server said meanwhile.
    this.causes.push([at, replied]);
    if (proved) call.last.push(replied);
    delete call.asked;
  }

  #answer(call: OpenCall): void {
    this.#follow(call, server(result(call.id, `done ${call.id}`)));
    this.#open.splice(this.#open.indexOf(call), 1);
  }

  /** The next frame of a call: what came before in the call caused it. */
  #follow(call: OpenCall, frame: Frame): number {
    const at = this.#push(frame);
    for (const cause of call.last) this.causes.push([cause, at]);
    call.last = [at];
    return at;
  }

  #push(frame: Frame): number {
    return this.frames.push(frame) - 1;
  }
}

const acts = fc.array(
  fc.record<Act>({
    act: fc.constantFrom(
      'call',
      'call',
      'answer',
      'answer',
      'ask',
      'reply',
      'progress',
      'cancel',
      'log',
      'change',
      'list',
    ),
    pick: fc.nat(20),
  }),
  { maxLength: 40 },
);

/** What once failed. */
const FOUND: Act[][] = [
  [
    { act: 'call', pick: 0 },
    { act: 'ask', pick: 0 },
    { act: 'call', pick: 0 },
    { act: 'ask', pick: 1 },
    { act: 'reply', pick: 15 },
    { act: 'progress', pick: 0 },
  ],
];

describe('a cassette played against itself', () => {
  it('is the same session again, whatever was said', () => {
    fc.assert(
      fc.property(acts, (chosen) => {
        const { frames: recorded, causes } = new Conversation(chosen);
        const played = selfPlay(cassette(...recorded));
        expect(deviations(cassette(...recorded), played.frames, causes)).toEqual([]);
        expect(played.findings).toEqual([]);
      }),
      { numRuns: 2_000, examples: FOUND.map((chosen) => [chosen]) },
    );
  });
});
