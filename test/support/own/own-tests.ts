/** Paths of sources, by how they begin, and how those of the tests begin. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** Tests of other rooms that are a source's own as well. Whatever else passes by it does not look at what it does. */
export const ALSO: Places = {
  'src/adapters/mock-server/': ['test/mock/'],
  'src/kernel/linear-regex.ts': ['test/redact/rules/', 'test/mock/file/'],
  'src/mock/': ['test/adapters/'],
  'src/protocol/results/': ['test/mock/', 'test/replay/findings/'],
  'src/cassette/write/cassette-text.ts': ['test/convert/', 'test/mock/'],
  'src/cassette/edit/': ['test/record/redact-file/redact-cassette.test.ts', 'test/edit/edit-answer.test.ts'],
  'src/fault-proxy/': ['test/scenario/'],
  'src/faults/': ['test/scenario/', 'test/fault-proxy/'],
  'src/faults/authorization/': ['test/scenario/', 'test/mock/authorization/'],
  'src/faults/support/bearer-token.ts': ['test/scenario/', 'test/mock/authorization/'],
  'src/protocol/oauth-requests.ts': ['test/faults/', 'test/mock/authorization/'],
  'src/match/contract-change-types.ts': ['test/contract/'],
  'src/html-report/data/live-page-protocol.ts': ['test/ui/'],
  'src/faults/engine/guard-fault.ts': ['test/adapters/fault-threw.test.ts'],
  'src/modes/faulty-channel.ts': ['test/adapters/'],
  'src/record/summary/redacted-values-notes.ts': ['test/modes/redacted-answers.test.ts'],
  'src/record/summary/redacted-values.ts': ['test/modes/redacted-answers.test.ts'],
};

/** What runs in processes of its own, or in a browser, where coverage is not measured, and the tests that run it. */
export const ELSEWHERE: Places = {
  'src/adapters/endpoint/open-endpoint-in-mode.ts': ['test/e2e/adapters/'],
  'src/adapters/endpoint/endpoint-recording.ts': ['test/e2e/adapters/'],
  'src/adapters/endpoint/unpooled-fetch.ts': ['test/e2e/adapters/'],
  'src/adapters/test-end/test-end-hooks.ts': ['test/adapters/test-end/test-end-hooks.test.ts'],
  'src/adapters/test-end/await-forgotten-promises.ts': ['test/adapters/test-end/'],
  'src/adapters/msw.ts': ['test/e2e/adapters/'],
  'src/adapters/nock.ts': ['test/e2e/adapters/'],
  'src/adapters/playwright.ts': ['test/adapters/playwright-mistakes.test.ts', 'test/adapters/playwright.browser.ts'],
  'src/kernel/platform/optional-peer.ts': ['test/e2e/adapters/', 'test/transports/http/forward-proxy/'],
  'src/adapters/vitest.ts': ['test/adapters/vitest.test.ts'],
  'src/cli/': ['test/cli/', 'test/e2e/'],
  'src/html-report/report-assets.ts': ['test/browser/'],
  'src/html-report/browser/': ['test/browser/', 'test/html-report/browser/'],
  'src/traces/live-traces.ts': ['test/e2e/traces/'],
  'src/traces/trace-thread.ts': ['test/e2e/traces/'],
  'src/viewer/viewer-worker.ts': ['test/browser/'],
  'src/cassette/read/yaml/load-yaml-package-in-browser.ts': ['test/browser/'],
  'src/contract/newly-invalid-definitions-in-browser.ts': ['test/browser/'],
  'src/contract/schema/fits-schema-in-browser.ts': ['test/browser/'],
  'src/cassette/edit/redact-rules-edit.ts': ['test/record/redact-file/'],
  'src/replay/match/label-placeholders-in-text.ts': ['test/verify/compare/'],
  'src/record/stdio/stdio-recorder.ts': ['test/record/stdio/', 'test/fork/'],
  'src/ui/': ['test/browser/', 'test/ui/', 'test/cli/commands/live/ui.test.ts'],
  'src/kernel/watch-paths.ts': ['test/cli/commands/mock-servers/mock.test.ts'],
  'src/mock/file/mock-file-from-server.ts': ['test/cli/commands/live/new.test.ts'],
  'src/contract/example-value.ts': ['test/cli/commands/live/new.test.ts'],
  'src/verify/run/listing-client-cassette.ts': ['test/cli/commands/live/new.test.ts'],
  'src/verify/run/request-server-lists.ts': ['test/cli/commands/live/new.test.ts'],
  'src/record/stdio/record-stdio.ts': ['test/record/stdio/record-stdio.test.ts'],
  'src/fault-proxy/stdio-fault-relay.ts': ['test/e2e/faults/'],
  'src/fault-proxy/stdio-fault-channel.ts': ['test/e2e/faults/'],
  'src/fault-proxy/stdio-fault-proxy.ts': ['test/e2e/faults/'],
  'src/sweep/grid-text.ts': ['test/sweep/client/sweep.test.ts'],
  'src/sweep/client/run-command.ts': ['test/sweep/client/run-command.test.ts', 'test/sweep/client/sweep.test.ts'],
  'src/sweep/client/attempt-run.ts': ['test/sweep/client/sweep.test.ts'],
  'src/sweep/client/client-baseline.ts': ['test/sweep/client/sweep.test.ts'],
  'src/sweep/client/sweep-client.ts': ['test/sweep/client/sweep.test.ts'],
  'src/sweep/orders/failing-order.ts': [
    'test/sweep/orders/order-sweep.test.ts',
    'test/sweep/orders/planted-order-bug.test.ts',
  ],
  'src/sweep/server/': ['test/sweep/server/'],
  'src/sweep/shrink/failing-client.ts': [
    'test/sweep/shrink/shrunk-bugs.test.ts',
    'test/cli/commands/live/shrink.test.ts',
  ],
  'src/sweep/shrink/failing-server.ts': [
    'test/sweep/shrink/shrunk-bugs.test.ts',
    'test/cli/commands/live/shrink.test.ts',
  ],
  'src/sweep/shrink/failing-server-order.ts': ['test/sweep/shrink/shrunk-server-orders.test.ts'],
  'src/transports/stdio/windows-process.ts': ['test/transports/stdio/windows-process.test.ts', 'test/sweep/client/'],
  'src/transports/http/upstream/upstream-agent.ts': ['test/e2e/http/web-proxy.test.ts'],
  'src/transports/http/client/stdio-bridge.ts': ['test/e2e/http/bridge.test.ts'],
  'src/transports/http/client/missing-response.ts': ['test/e2e/http/bridge.test.ts'],
  'src/transports/stdio/child-process.ts': ['test/record/stdio/record-stdio.test.ts'],
  'src/transports/stdio/nonblocking-output.ts': ['test/record/stdio/record-stdio.test.ts'],
  'src/transports/stdio/parent-channel.ts': ['test/record/stdio/record-stdio.test.ts'],
  'src/transports/stdio/kill-group-on-exit.ts': ['test/record/stdio/record-stdio.test.ts'],
};

/** Tests of whole programs, and of the house and its documents. */
export const OF_PROGRAMS: readonly string[] = [
  'test/*.test.ts',
  'test/{cli,e2e,guarantees,guards,hostile,manifest,proof}/**/*.test.ts',
  'test/adapters/{readme,vitest,vitest-attempts,vitest-claims,vitest-retry,vitest-sessions,vitest-time-limit,vitest-watch}.test.ts',
  'test/record/stdio/{record-stdio,record-huge-line}.test.ts',
  'test/load/{lost-streams,planted-flaws}.test.ts',
  'test/cassette/schema-store.test.ts',
  'test/adapters/test-end/process-exit.test.ts',
  'test/load/k6/k6-script.test.ts',
  // No programs: these are all work, of which measuring coverage would make twice as much.
  'test/cassette/round-trip.test.ts',
  'test/edit/cut/real-cuts.test.ts',
  'test/edit/merge/real-merges.test.ts',
  'test/record/redact-file/redact-every-cassette.test.ts',
  'test/redact/{fuzz,long-runs}.test.ts',
  'test/scenario/writing-a-fault.test.ts',
  'test/site/package-docs.test.ts',
  'test/sweep/client/{pair-sweep,planted-client-bugs,refused-requests,run-command,skipped-messages,sweep,sweep-announcement,sweep-lost-answers,sweep-parts,sweep-refused}.test.ts',
  'test/sweep/client/unreached-points.test.ts',
  'test/sweep/server/{cancel-in-flight,come-back,planted-bugs,http-bugs,sdk-servers,server-command,two-misbehaviour-bugs}.test.ts',
  'test/sweep/server/inputs/{damaging-inputs,planted-input-bugs,sdk-inputs,input-command}.test.ts',
  'test/sweep/orders/{order-bugs-by-transport,order-sweep,planted-order-bug}.test.ts',
  'test/sweep/sdk-accusations.test.ts',
  'test/sweep/server/orders/{damaging-orders,planted-order-bugs}.test.ts',
  'test/sweep/shrink/{shrunk-bugs,shrunk-server-orders,shrunk-swapped-answers}.test.ts',
];

/** Those of them that need a process for each file: they count what it does, or patch `node:http` in it. */
export const THAT_RUN_ALONE: readonly string[] = ['test/guards/*.test.ts', 'test/e2e/adapters/*.test.ts'];

/** Of those, the same as another of them with another version of a library, or with every parser. They are long tests. */
export const LONG_THAT_RUN_ALONE: readonly string[] = [
  'test/e2e/adapters/{msw-3,nock-15}.test.ts',
  'test/guards/{adversarial-parsers,time-and-memory}.test.ts',
];

/** Those of them that `npm test` leaves to `npm run test:all`. What each is about has a shorter test, too. */
export const THAT_TAKE_LONG: readonly string[] = [
  // Programs of other people: clients, servers, the official suite, and vitest in projects of its users.
  'test/adapters/vitest-{attempts,claims,retry,sessions,time-limit,watch}.test.ts',
  'test/adapters/test-end/process-exit.test.ts',
  'test/load/k6/k6-script.test.ts',
  'test/e2e/conformance/*.test.ts',
  'test/e2e/edit/http-cuts.test.ts',
  'test/e2e/field/*.test.ts',
  'test/e2e/scenario/sdk-under-faults.test.ts',
  'test/e2e/session/*.test.ts',
  'test/e2e/strangers.test.ts',
  'test/e2e/third-party/*.test.ts',
  'test/e2e/verify/real-servers.test.ts',
  'test/sweep/orders/order-sweep.test.ts',
  'test/sweep/sdk-accusations.test.ts',
  'test/sweep/server/orders/{damaging-orders,planted-order-bugs}.test.ts',
  'test/sweep/server/sdk-servers.test.ts',
  'test/sweep/server/inputs/sdk-inputs.test.ts',
  // What documents promise, with what they take for granted.
  'test/{blocks,commands,examples,walkthrough}.test.ts',
  'test/cli/{eighty-columns,man-page}.test.ts',
  'test/cli/commands/live/demo.test.ts',
  'test/e2e/{action,skill}.test.ts',
  'test/scenario/writing-a-fault.test.ts',
  'test/site/package-docs.test.ts',
  'test/adapters/readme.test.ts',
  'test/guarantees/*.test.ts',
  // The same once more: with each server and client that there is, in processes, or from the command line.
  'test/cli/{bad-input,io/{end-with-npx,started-by-a-client},lint-several-files,output-files,program-names,redact,reports/error-in-reports,terminal-escapes}.test.ts',
  'test/cli/commands/{wrap-client,wrap-extension,wrap-options}.test.ts',
  'test/cli/commands/cassettes/{cut,diff-options,diff-revision,diff-with-git,merge,prune-vitest,report-options,show-options}.test.ts',
  'test/cli/commands/mock-servers/{auth-refusals,replay-else}.test.ts',
  'test/cli/sweep/{again-command-runs,server-orders,sweep-orders-page}.test.ts',
  'test/cli/commands/live/{check-failures,check-new-ids,check-new-output-field,fork,fork-with-client,given-secrets,load,new-of-real-servers}.test.ts',
  'test/cli/commands/live/{load-workers-together,record-lists-verified,shrink-for-a-fixed-client,shrink-interrupted,shrink-wrong-answer}.test.ts',
  'test/cli/options/restore-secrets-from-env.test.ts',
  'test/cli/commands/live/{record-lists-call,run,run-redacted-scenario,run-scenario,shrink-pairs-and-inputs,shrink-refused}.test.ts',
  'test/cli/commands/live/{sweep-interrupted,verify}.test.ts',
  'test/e2e/control/control.test.ts',
  'test/e2e/hand-written/mistakes.test.ts',
  'test/e2e/http/{forward-proxy-clients,forward-proxy-login,forward-proxy-sessions}.test.ts',
  'test/e2e/http2-over-stdio/*.test.ts',
  'test/e2e/later-revision/*.test.ts',
  'test/e2e/traces/live-traces-of-sessions.test.ts',
  'test/manifest/{older-revisions,redacted}.test.ts',
  'test/e2e/faults/{faults,http,stdio-bytes-by-parameter}.test.ts',
  'test/e2e/http/{auth,recorded-authorization,bad-input,echoed-credential,header-under-a-rule,losses,record,verify}.test.ts',
  'test/e2e/http/{bridge,replay,verify}-constellations.test.ts',
  'test/e2e/restart/*.test.ts',
  'test/e2e/verify/{drift,followed-ids,shared-bug,update-advice}.test.ts',
  'test/sweep/client/{pair-sweep,planted-client-bugs,refused-requests,skipped-messages,sweep-announcement,sweep-lost-answers,sweep-parts,sweep-refused,unreached-points}.test.ts',
  'test/sweep/server/{cancel-in-flight,come-back,planted-bugs,http-bugs,server-command,two-misbehaviour-bugs}.test.ts',
  'test/sweep/server/inputs/{damaging-inputs,planted-input-bugs,input-command}.test.ts',
  'test/sweep/orders/order-bugs-by-transport.test.ts',
  'test/sweep/shrink/{shrunk-bugs,shrunk-swapped-answers}.test.ts',
  // Many sessions, long ones, or large messages.
  'test/{boundaries,hostile-messages}.test.ts',
  'test/hostile/hostile-{commands,sample}.test.ts',
  'test/record/stdio/record-huge-line.test.ts',
  'test/redact/{fuzz,long-runs}.test.ts',
  'test/cassette/round-trip.test.ts',
  // Each cassette that there is, or each secret in each place: the room's own tests have the same with few.
  'test/edit/{cut/real-cuts,merge/real-merges}.test.ts',
  'test/record/redact-file/redact-every-cassette.test.ts',
  'test/load/{lost-streams,planted-flaws}.test.ts',
  'test/e2e/{bench,kill}.test.ts',
  'test/e2e/http/{crowd,hammer}.test.ts',
  'test/e2e/resilience/{descriptors,sessions,soak}.test.ts',
  'test/e2e/scenario/{cancellation,sweep}.test.ts',
];

/** Those of the long ones that take the most time, which for most of it wait: the longest first. */
export const THAT_TAKE_LONGEST: readonly string[] = [
  'test/sweep/server/orders/planted-order-bugs.test.ts',
  'test/commands.test.ts',
  'test/guarantees/guarantees.test.ts',
  'test/sweep/orders/order-sweep.test.ts',
  'test/sweep/client/planted-client-bugs.test.ts',
  'test/sweep/server/planted-bugs.test.ts',
  'test/sweep/server/inputs/planted-input-bugs.test.ts',
  'test/e2e/http/replay-constellations.test.ts',
  'test/sweep/sdk-accusations.test.ts',
  'test/sweep/server/cancel-in-flight.test.ts',
  'test/sweep/server/come-back.test.ts',
  'test/sweep/server/http-bugs.test.ts',
  'test/sweep/client/sweep-parts.test.ts',
  'test/sweep/server/server-command.test.ts',
  'test/e2e/session/session.test.ts',
  'test/sweep/server/sdk-servers.test.ts',
  'test/walkthrough.test.ts',
  'test/record/redact-file/redact-every-cassette.test.ts',
  'test/hostile/hostile-sample.test.ts',
  'test/cli/sweep/server-orders.test.ts',
];

/** Whether a test is one of a source's own: it is of the same room, or named above. */
export function isOwnTest(test: string, source: string): boolean {
  const [, room] = source.split('/');
  const others = Object.entries(ALSO).flatMap(([place, tests]) => (source.startsWith(place) ? tests : []));
  return [`test/${room}/`, ...others].some((start) => test.startsWith(start));
}
