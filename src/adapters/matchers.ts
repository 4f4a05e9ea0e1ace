import { loadCassette } from '../cassette/load.ts';
import { movesOf } from '../cassette/moves.ts';
import { counted } from '../kernel/counted.ts';
import { identityOf } from '../match/identity.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isRequest, type Params, type Request } from '../protocol/message.ts';
import { identityParams } from '../protocol/methods.ts';

/** Whatever knows what clients have asked: `mcp`, a session, a mock server, an endpoint. */
export interface Asked {
  received(method?: string): Request[];
}

/** What a runner gives its matchers. */
interface MatcherState {
  isNot?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each runner has testers of its own
  equals(actual: unknown, expected: unknown, testers?: any[]): boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each runner has testers of its own
  utils: any;
}

/** How a matcher answers, in vitest and Jest. */
interface Matched {
  pass: boolean;
  message(): string;
  expected?: unknown;
  actual?: unknown;
}

/** For `expect.extend(matchers)`; the fixture of `mcp-record/vitest` does that by itself. */
export const matchers: {
  toHaveReceivedRequest(this: MatcherState, asked: Asked, method: string, params?: Params): Matched;
  toMatchSession(this: MatcherState, asked: Asked, cassette: string): Matched;
} = {
  /** A client has asked for `method`, with params that hold at least `params`. */
  toHaveReceivedRequest(asked, method, params) {
    const { equals, isNot, utils } = this;
    const came = asked.received(method).map((request) => request.params ?? {});
    const pass = came.some(
      (one) => params === undefined || equals(one, params, [utils.iterableEquality, utils.subsetEquality]),
    );
    if (isNot || came.length > 0) {
      const what = `${method}${params === undefined ? '' : ' with these params'}`;
      const message = () =>
        `expected ${isNot ? 'no' : 'a'} request ${what}; there came ${counted(came.length, 'request')} of that method`;
      return { pass, message, expected: params, actual: came.length === 1 ? came[0] : came };
    }
    const others = [...new Set(asked.received().map((request) => request.method))];
    const message = () =>
      `expected a request ${method}; there came ${others.length > 0 ? `only ${others.join(', ')}` : 'none'}`;
    return { pass, message };
  },
  /** Clients have asked what the client of `cassette` has, in its order, but for what is volatile. */
  toMatchSession(asked, cassette) {
    const taped = movesOf(loadCassette(cassette).events).flatMap(({ from, message, json }) =>
      from === 'client' && isRequest(message) && json
        ? [{ key: identityOf(json).key, shown: shown(message) }]
        : [],
    );
    const live = asked.received().map((request) => ({
      key: identityOf(new JsonText(JSON.stringify(request))).key,
      shown: shown(request),
    }));
    const pass = taped.length === live.length && taped.every(({ key }, n) => key === live[n]?.key);
    return {
      pass,
      message: () => `expected the requests ${this.isNot ? 'to differ from' : 'to be'} those of ${cassette}`,
      expected: taped.map((one) => one.shown),
      actual: live.map((one) => one.shown),
    };
  },
};

/** A request as people compare it. */
function shown({ method, params }: Request): { method: string; params: Params } {
  return { method, params: identityParams(method, params) };
}
