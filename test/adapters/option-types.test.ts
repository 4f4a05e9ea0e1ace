import { expectTypeOf, it } from 'vitest';
import type { RuleOptions } from '../../src/adapters/fault-rule-factory.ts';
import type { HttpOptions, MemoryOptions, StdioOptions } from '../../src/adapters/mock-server/mock-server-types.ts';
import type { MswOptions } from '../../src/adapters/msw.ts';
import type { NockOptions } from '../../src/adapters/nock.ts';
import type { LinkedOptions } from '../../src/adapters/sdk/faulty-linked-transports.ts';
import type { RecordTransportOptions } from '../../src/adapters/sdk/record-transport.ts';
import type { CassetteOwner } from '../../src/adapters/test/claim-test-cassette.ts';
import type { ConnectOptions } from '../../src/adapters/test/mcp-types.ts';
import type { VerifyOptions } from '../../src/adapters/test/verify-server.ts';
import type { When } from '../../src/faults/rules/when.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { EndpointOptions } from '../../src/mock/endpoint/fetch-endpoint.ts';
import type { Handler } from '../../src/mock/handler.ts';
import type { SessionOptions } from '../../src/modes/open-session.ts';
import type { TimelineTextOptions } from '../../src/text-report/timeline-text.ts';

/**
 * Options whose value in `Values` is one that they take, or are not in `Values`: with each option named there, with a right
 * value and with a wrong one, an option that is new or changed its type is a mistake until somebody says so here.
 */
type Taken<Options, Values> = {
  [Option in keyof Options]-?: Option extends keyof Values
    ? Values[Option] extends Options[Option]
      ? Option
      : never
    : Option;
}[keyof Options];

/** Options whose value in `Values` is one that they do not take, or are not in `Values`. */
type Refused<Options, Values> = {
  [Option in keyof Options]-?: Option extends keyof Values
    ? Values[Option] extends Options[Option]
      ? never
      : Option
    : Option;
}[keyof Options];

interface Right {
  bypass: (request: Request) => Request;
  cassette: 'cassette.yaml';
  clock: Clock;
  env: { MCP_RECORD: 'auto' };
  expires: 1_000;
  faults: [{ do: 'cut'; when: { tool: 'add'; nth: 2 }; bytes: 7 }];
  handlers: [Handler];
  handles: [{ capture: '/result/id'; use: '/params/id' }];
  ignore: ['/params/now'];
  mode: 'record';
  onDifference: 'report';
  onMiss: 'report';
  onUnfired: 'fail';
  onUnused: 'report';
  record: true;
  redact: { rules: [{ key: 'city' }] };
  repeat: 'last';
  seed: 7;
  server: { command: 'node'; args: ['server.js'] };
  timing: { factor: 0.5 };
  auth: { tokenLifetime: 60 };
  responseMode: 'sse';
  strict: true;
  update: true;
}

interface Wrong {
  bypass: true;
  cassette: 7;
  clock: Date;
  env: 'auto';
  expires: '30d';
  faults: { do: 'cut' };
  handlers: Handler;
  handles: '/result/id';
  ignore: '/params/now';
  mode: 'once';
  onDifference: true;
  onMiss: 'ignore';
  onUnfired: false;
  onUnused: false;
  record: 'always';
  redact: 'city';
  repeat: 'twice';
  seed: 'lucky';
  server: 'node server.js';
  timing: 'slow';
  auth: 'yes';
  responseMode: 'stream';
  strict: 1;
  update: 'yes';
}

/** Of all those, these. */
type Of<Options, Values> = Pick<Values, keyof Options & keyof Values>;

it('each option takes what is right, and nothing that is wrong: of sessions and what is connected', () => {
  expectTypeOf<Refused<SessionOptions, Of<SessionOptions, Right>>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<SessionOptions, Of<SessionOptions, Wrong>>>().toEqualTypeOf<never>();
  expectTypeOf<Refused<ConnectOptions, Of<ConnectOptions, Right> & { name: 'second' }>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<ConnectOptions, Of<ConnectOptions, Wrong> & { name: 2 }>>().toEqualTypeOf<never>();
});

it('of mock servers and endpoints', () => {
  expectTypeOf<Refused<EndpointOptions, Of<EndpointOptions, Right>>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<EndpointOptions, Of<EndpointOptions, Wrong>>>().toEqualTypeOf<never>();
  expectTypeOf<Refused<MemoryOptions, Of<MemoryOptions, Right> & { over: 'memory' }>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<MemoryOptions, Of<MemoryOptions, Wrong> & { over: 'http' }>>().toEqualTypeOf<never>();
  expectTypeOf<Refused<HttpOptions, Of<HttpOptions, Right> & { over: 'http' }>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<HttpOptions, Of<HttpOptions, Wrong> & { over: undefined }>>().toEqualTypeOf<never>();
  expectTypeOf<Refused<StdioOptions, Of<StdioOptions, Right> & { over: 'stdio' }>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<StdioOptions, Of<StdioOptions, Wrong> & { over: 'tcp' }>>().toEqualTypeOf<never>();
  expectTypeOf<Refused<MswOptions, Of<MswOptions, Right>>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<MswOptions, Of<MswOptions, Wrong>>>().toEqualTypeOf<never>();
  expectTypeOf<Refused<NockOptions, Of<NockOptions, Right>>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<NockOptions, Of<NockOptions, Wrong>>>().toEqualTypeOf<never>();
});

it('of transports', () => {
  type Recorded = Of<RecordTransportOptions, Right> & { side: 'server' };
  expectTypeOf<Refused<RecordTransportOptions, Recorded>>().toEqualTypeOf<never>();
  type NotRecorded = Of<RecordTransportOptions, Wrong> & { side: 'peer' };
  expectTypeOf<Taken<RecordTransportOptions, NotRecorded>>().toEqualTypeOf<never>();
  expectTypeOf<Refused<LinkedOptions, Of<LinkedOptions, Right>>>().toEqualTypeOf<never>();
  expectTypeOf<Taken<LinkedOptions, Of<LinkedOptions, Wrong>>>().toEqualTypeOf<never>();
});

it('of verifying, and of what a test is', () => {
  type Verifies = Of<VerifyOptions, Right> & {
    failOn: 'breaking';
    patience: 100;
    timeMax: 10;
    slower: 2;
    otherRequests: true;
    allowNotifications: ['notifications/tools/list_changed'];
    secrets: { A: 'x' };
  };
  expectTypeOf<Refused<VerifyOptions, Verifies>>().toEqualTypeOf<never>();
  type DoesNot = Of<VerifyOptions, Wrong> & {
    failOn: 'used';
    patience: '5s';
    timeMax: '5s';
    slower: '2x';
    otherRequests: 'yes';
    allowNotifications: 'notifications/tools/list_changed';
    secrets: 'A';
  };
  expectTypeOf<Taken<VerifyOptions, DoesNot>>().toEqualTypeOf<never>();
  type Owns = {
    file: 'a.js';
    names: ['a'];
    id: 'x';
    run: object;
    runId: '7';
    update: true;
    onCassettesUsed: () => void;
  };
  expectTypeOf<Refused<CassetteOwner, Owns>>().toEqualTypeOf<never>();
  type OwnsNot = { file: 1; names: 'a'; id: 1; run: 'x'; runId: 7; update: 'yes'; onCassettesUsed: true };
  expectTypeOf<Taken<CassetteOwner, OwnsNot>>().toEqualTypeOf<never>();
  expectTypeOf<
    Refused<TimelineTextOptions, { width: 80; paint: NonNullable<TimelineTextOptions['paint']> }>
  >().toEqualTypeOf<never>();
  expectTypeOf<Taken<TimelineTextOptions, { width: '80'; paint: true }>>().toEqualTypeOf<never>();
});

it('of rules, and of what they are about', () => {
  type Rules = { on: 'tools/call'; nth: 2; when: { tool: 'add' }; times: 1; probability: 0.5 };
  expectTypeOf<Refused<RuleOptions, Rules>>().toEqualTypeOf<never>();
  type NoRules = { on: 7; nth: '2'; when: 'later'; times: 'twice'; probability: '50 %' };
  expectTypeOf<Taken<RuleOptions, NoRules>>().toEqualTypeOf<never>();
  type About = Record<'method' | 'tool' | 'prompt' | 'resource', 'name'> &
    Record<'stream' | 'nth' | 'after' | 'line', 1> & {
      from: 'client';
      kind: 'request';
      at: { '/params/name': 'add' };
    };
  expectTypeOf<Refused<When, About>>().toEqualTypeOf<never>();
  type NotAbout = Record<'method' | 'tool' | 'prompt' | 'resource', 1> &
    Record<'stream' | 'nth' | 'after' | 'line', 'name'> & { from: 'peer'; kind: 'answer'; at: '/params' };
  expectTypeOf<Taken<When, NotAbout>>().toEqualTypeOf<never>();
});

it('an option that nobody named here is found', () => {
  expectTypeOf<Refused<{ a?: 1; b?: 2 }, { a: 1 }>>().toEqualTypeOf<'b'>();
  expectTypeOf<Taken<{ a?: 1; b?: 2 }, { a: 2 }>>().toEqualTypeOf<'b'>();
  expectTypeOf<Refused<{ a?: 1 }, { a: 2 }>>().toEqualTypeOf<'a'>();
  expectTypeOf<Taken<{ a?: 1 }, { a: 1 }>>().toEqualTypeOf<'a'>();
});
