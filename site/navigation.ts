/** A page of the site. */
export interface Page {
  /** Path of its Markdown file from the root of the repository. */
  source: string;
  /** Title in the sidebar. Absent: the heading of the page. */
  title?: string;
  /** One line for search engines and llms.txt. */
  description: string;
}

/** A group of the sidebar. */
export interface Group {
  title: string;
  pages: readonly Page[];
  /** Folders whose pages need no entry of their own. Their titles are the headings of the pages. */
  folders?: readonly Folder[];
}

/** A folder of pages, which is a part of a group. */
export interface Folder {
  source: string;
  title: string;
}

/** The sidebar: every page of `docs/` stands in exactly one group. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Tutorials',
    pages: [
      { source: 'docs/getting-started.md', description: 'Record your first session, and test a server with it.' },
      { source: 'docs/writing-a-fault.md', description: 'Write a fault of your own in ten minutes.' },
      {
        source: 'examples/README.md',
        description: 'Small projects for Vitest, Jest, node:test, Playwright, MSW, nock, pytest and Go.',
      },
    ],
  },
  {
    title: 'How-to guides',
    pages: [
      {
        source: 'docs/test-client.md',
        title: 'Test a client',
        description: 'Play a recorded server to a client on the command line, with and without faults.',
      },
      {
        source: 'docs/mock.md',
        description:
          'Write in a test what an MCP server answers, and what it asks its client: sampling and elicitation.',
      },
      {
        source: 'docs/mock-cassette.md',
        description: 'Change single answers of a recorded server, or write a cassette in a test.',
      },
      {
        source: 'docs/mock-questions.md',
        description: 'Send progress, sampling and elicitation from the handlers of a mock server.',
      },
      {
        source: 'docs/mock-failures.md',
        description: 'What a mock checks, how to expect a failure, and who has to read the failures.',
      },
      {
        source: 'docs/replay.md',
        description: 'Run a client without its server: what is answered, and what a miss looks like.',
      },
      {
        source: 'docs/replay-http.md',
        description: 'Serve a recorded server at a URL: connect a client, several clients, a folder of cassettes.',
      },
      {
        source: 'docs/replay-stateless.md',
        description:
          'Serve a recorded server that has no sessions, as from 2026-07-28 on: which client gets which answer.',
      },
      { source: 'docs/retry.md', description: 'Let a call fail once, and see that the client makes it again.' },
      {
        source: 'docs/retry-waits.md',
        description: 'Test how long a client waits before it makes a call again, with fake timers or over HTTP.',
      },
      { source: 'docs/mock-file.md', description: 'Describe a mock server in a YAML file, without code.' },
      {
        source: 'docs/control.md',
        description: 'Start a mock server and change it over HTTP, from Python, Go or a shell.',
      },
      {
        source: 'docs/control-tests.md',
        title: 'Tests with the control API',
        description: 'A whole test in a shell script, and fixtures of pytest, that control a mock server over HTTP.',
      },
      {
        source: 'docs/stdio-tests.md',
        title: 'Test a client that starts its server',
        description: 'Give a client a mock server as a command, and fail its test in Python or any language.',
      },
      { source: 'docs/auth.md', description: 'Test a client against a mock server that requires access tokens.' },
      { source: 'docs/auth-recorded.md', description: 'Record the login of a client, and replay it with live tokens.' },
      { source: 'docs/auth-user.md', description: 'Test a client that sends its user to a login page.' },
      { source: 'docs/auth-scopes.md', description: 'Test a client that needs a token with another scope.' },
      {
        source: 'docs/auth-scopes-sdk-1.md',
        description: 'Get another scope with a client of SDK 1.32 that has a refresh token.',
      },
      { source: 'docs/vitest.md', description: 'Record, replay and mock sessions with a fixture of Vitest.' },
      {
        source: 'docs/test-runners.md',
        description: 'Record and replay sessions in node:test, Jest and other runners.',
      },
      {
        source: 'docs/modes.md',
        title: 'Modes',
        description: 'When a test records its cassette, and when it replays it.',
      },
      {
        source: 'docs/journal.md',
        description: 'Read the messages of clients in a test, wait for one, and compare its params.',
      },
      {
        source: 'docs/clock.md',
        description: 'Skip delays of faults, cassettes and handlers, and test the time limit of a client.',
      },
      {
        source: 'docs/sdk-transports.md',
        description: 'Record and replay with transports of the official SDK, without a test fixture.',
      },
      {
        source: 'docs/open-session.md',
        description: 'Record and replay a session in any program, with openSession.',
      },
      { source: 'docs/msw.md', description: 'Put a recorded server behind a request handler of MSW.' },
      { source: 'docs/nock.md', description: 'Put a recorded server behind interceptors of nock.' },
      { source: 'docs/playwright.md', description: 'Put a mock server behind page.route of Playwright.' },
      { source: 'docs/ci.md', description: 'Check cassettes and a server in CI, with one command or an action.' },
      {
        source: 'docs/ci-pull-requests.md',
        description: 'Find pull requests that break clients, although server and cassette agree.',
      },
      {
        source: 'docs/ci-recipes.md',
        description: 'Check servers over HTTP, tokens, secrets, several servers, clients under faults and load in CI.',
      },
      {
        source: 'docs/analyze-a-bug.md',
        description: 'Let a user record a session with a bug, look at it, and reproduce the bug.',
      },
      {
        source: 'docs/share-a-bug.md',
        description: 'Record a session without its secrets, cut it, and send it as a bug report.',
      },
      {
        source: 'docs/share-a-bug-secrets.md',
        description: 'Keep secrets of a form of your own out of a session that you send as a bug report.',
      },
      {
        source: 'docs/share-a-bug-names.md',
        description: 'Keep names of people and of your company out of a session that you send as a bug report.',
      },
      {
        source: 'docs/share-a-bug-ids.md',
        description: 'Send a bug of a server that makes up ids or tells the time, so that others can reproduce it.',
      },
      {
        source: 'docs/share-a-client-bug.md',
        description: 'Send a bug of a client as a recorded session and a scenario.',
      },
      {
        source: 'docs/share-a-client-bug-errors.md',
        description:
          'What to do if a shared scenario fails for another reason than the bug, or a mended client does not pass.',
      },
      { source: 'docs/test-server.md', description: 'Test a server against its cassettes with any test runner.' },
      {
        source: 'docs/mock-client.md',
        description: 'Test a server without a cassette: call its tools from a test, and answer its requests.',
      },
      {
        source: 'docs/verify.md',
        description: 'Find out on the command line whether a server has changed for its clients.',
      },
      {
        source: 'docs/breaking-changes.md',
        title: 'Find breaking changes',
        description: 'See how bad each change of a server is, and which of your clients it breaks.',
      },
      {
        source: 'docs/load.md',
        description:
          'Play recorded clients in numbers to a server: measure it, check all answers, and compare two versions.',
      },
      {
        source: 'docs/load-workers.md',
        description: 'Divide the clients of a load among several threads, and see when one thread is too slow.',
      },
      {
        source: 'docs/load-k6.md',
        description: 'Write a script for k6 that makes the load of a recorded session and checks its answers.',
      },
      {
        source: 'docs/fork.md',
        title: 'Reproduce a bug from a session',
        description: 'Bring a server to the state before a recorded call, and go on with your own client.',
      },
      {
        source: 'docs/fork-with-client.md',
        description: 'Let a client make its recorded calls again, and go on from there with a live server.',
      },
      {
        source: 'docs/restart.md',
        title: 'Keep a session while you change the server',
        description: 'Start a server again when its files change or it crashes, under the same client.',
      },
      {
        source: 'docs/restart-http.md',
        title: 'Keep a session with a server at a URL',
        description: 'Restart a server that listens at a URL, while its clients keep their sessions.',
      },
      { source: 'docs/faults.md', description: 'Make a mock server slow, break off or answer with an error.' },
      {
        source: 'docs/scenarios.md',
        description: 'Write a test with a cassette, faults and expectations in one file.',
      },
      {
        source: 'docs/sweep.md',
        title: 'Break every message (sweep)',
        description: 'Run a client once for every fault at every message of its server.',
      },
      {
        source: 'docs/sweep-pairs.md',
        description: 'Let two faults happen in each run, to test what a client does when its retry fails, too.',
      },
      {
        source: 'docs/sweep-orders.md',
        description: 'Let answers and notifications come in every order that causality allows.',
      },
      {
        source: 'docs/shrink.md',
        description: 'Find the smallest cassette that still shows a failure of a sweep.',
      },
      {
        source: 'docs/sweep-server.md',
        title: 'Break every message of a client',
        description: 'Run a server once for every misbehaviour of its client, or with other inputs of its tools.',
      },
      {
        source: 'docs/wrap.md',
        description: 'Add the recorder to the configuration of Claude Desktop, VS Code or Cursor.',
      },
      { source: 'docs/http.md', description: 'Record sessions over Streamable HTTP with a reverse proxy.' },
      {
        source: 'docs/forward-proxy.md',
        description: 'Record clients that sign or compare the URL of their server, as their HTTPS proxy.',
      },
      { source: 'docs/container.md', description: 'Build an image, record over HTTP in it, and serve a mock from it.' },
      {
        source: 'docs/redaction.md',
        title: 'Redaction of secrets',
        description: 'How secrets stay out of cassettes, what is found, and what is not.',
      },
      {
        source: 'docs/redaction-rules.md',
        description: 'Write rules for secrets that only you know, in a test, a command or a whole project.',
      },
      {
        source: 'docs/redaction-tests.md',
        description: 'Placeholders and rules of redaction in a test, and clients that refuse a placeholder.',
      },
      {
        source: 'docs/redaction-check.md',
        description: 'Find secrets in existing cassettes, in CI and before a commit.',
      },
      {
        source: 'docs/live-secrets.md',
        title: 'Real secrets against a server',
        description: 'Put real secrets in place of placeholders while a cassette is played.',
      },
      { source: 'docs/diff.md', description: 'Find what changed between two sessions, and fail on breaking changes.' },
      {
        source: 'docs/diff-git.md',
        description: 'Compare cassettes with a branch or a commit, and see sessions in git diff.',
      },
      { source: 'docs/editing.md', description: 'Cut a short cassette from a long one, merge and redact cassettes.' },
      {
        source: 'docs/convert.md',
        title: 'Convert cassettes',
        description: 'Read the recordings of other tools, and write HAR, NDJSON, diagrams and more.',
      },
      {
        source: 'docs/traces.md',
        title: 'Traces (OpenTelemetry)',
        description: 'Show recorded sessions in a trace viewer: a span for each request.',
      },
      { source: 'docs/report.md', description: 'Find failed calls and compare sessions on one HTML page.' },
      {
        source: 'docs/open-cassette.md',
        title: 'Open a cassette',
        description: 'Drop a cassette on a page of your browser, without a server and without an upload.',
      },
      {
        source: 'docs/ui.md',
        title: 'Watch sessions live',
        description: 'See sessions in a browser while they are recorded.',
      },
      { source: 'docs/windows.md', description: 'What was tested for Windows, and what differs there.' },
      {
        source: 'docs/skill/SKILL.md',
        title: 'Skill for coding agents',
        description: 'A skill file for coding agents: when to use mcp-record, and ten snippets to start from.',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { source: 'docs/cli.md', description: 'Every command with its options and exit statuses.' },
      {
        source: 'docs/cli-output.md',
        title: 'Output and signals',
        description: 'What the command line prints on a terminal, and how signals end it.',
      },
      { source: 'docs/errors.md', title: 'Errors', description: 'Every error code: why it happens and what to do.' },
      { source: 'docs/cassette.md', title: 'Cassette format', description: 'The YAML format of cassettes, version 1.' },
      {
        source: 'docs/replay-reference.md',
        description: 'Which request a replayed message belongs to, subscriptions, cancels, and the end of the process.',
      },
      {
        source: 'docs/replay-http-reference.md',
        description: 'Replay over HTTP: sessions, passes, statuses, resumed streams, host names and refused requests.',
      },
      {
        source: 'docs/control-reference.md',
        description: 'Members of each request to the control API, its errors, and its OpenAPI file.',
      },
      {
        source: 'docs/mock-failures-reference.md',
        description: 'Each failure that a mock server or a mock client finds, and the option that lets it pass.',
      },
      {
        source: 'docs/traces-reference.md',
        description: 'Spans, parents, attributes, failures and limits of a trace.',
      },
      {
        source: 'docs/report-reference.md',
        description: 'Search fields, marks, columns and keys of the report page, and what it does with long sessions.',
      },
      {
        source: 'docs/ui-reference.md',
        description: 'Options of the live page, the states of its sessions, edits that are not saved, and security.',
      },
      {
        source: 'docs/vitest-reference.md',
        description: 'Options of the fixture mcp, its matchers, where cassettes are, and what fails at the end.',
      },
      {
        source: 'docs/verify-reference.md',
        description: 'What verify compares, which values never count, and its deadlines.',
      },
      {
        source: 'docs/test-server-reference.md',
        description: 'Decide which changes pass, skipped tests, the end of a server, and a forgotten await.',
      },
      {
        source: 'docs/breaking-changes-reference.md',
        description: 'The severity of every change of a server, and who counts as its user.',
      },
      {
        source: 'docs/sweep-reference.md',
        description: 'Verdicts, faults, options, exit statuses and JSON of a sweep.',
      },
      {
        source: 'docs/sweep-orders-reference.md',
        description:
          'Which orders of messages a sweep tries, its verdicts, and when another answer of a server is wrong.',
      },
      {
        source: 'docs/sweep-server-reference.md',
        description: 'Verdicts, misbehaviours, kinds of arguments, options, limits and JSON of a sweep of a server.',
      },
      {
        source: 'docs/fork-reference.md',
        description: 'What client and server know of each other after a fork, and how a test uses the new cassette.',
      },
      {
        source: 'docs/diff-reference.md',
        description: 'Which messages diff compares, its rules, which values are ids, and its JSON output.',
      },
      {
        source: 'docs/load-reference.md',
        description:
          'When a load starts and ends, its settings as JSON, lost streams, figures over time, and its own cost.',
      },
      { source: 'docs/fault-list.md', description: 'Every fault: what it does, its parameters and where it works.' },
      {
        source: 'docs/fault-rules.md',
        description: 'Which messages a rule selects, when its fault fires, and what is counted.',
      },
      {
        source: 'docs/lint.md',
        title: 'Lint rules',
        description: 'The rules of the protocol that lint checks in a session.',
      },
      {
        source: 'docs/matching-reference.md',
        description: 'Which params of each method count when requests are matched, and rare cases.',
      },
      {
        source: 'docs/redaction-reference.md',
        description: 'Which tokens, names and encodings are redacted, and which values stay.',
      },
      {
        source: 'docs/auth-reference.md',
        description: 'Options of the mock authorization server, its endpoints, and the requests that it refuses.',
      },
      {
        source: 'docs/auth-faults.md',
        description: 'Rules that make a step of an authorization flow fail, and the requests of the flow.',
      },
      {
        source: 'docs/auth-sdk-clients.md',
        description: 'What the official SDK clients do when a token, a scope or metadata is not as expected.',
      },
      {
        source: 'docs/auth-other-clients.md',
        description: 'The same for mcp-remote, the Inspector and the AI SDK.',
      },
      {
        source: 'docs/ci-reference.md',
        description: 'The four checks, their options, the inputs of the action, reports and exit statuses.',
      },
      { source: 'docs/limits.md', description: 'How much is held in memory, and what happens beyond that.' },
      {
        source: 'docs/coverage.md',
        title: 'Coverage of the protocol',
        description: 'Which requirement of the protocol is shown to hold, over which transport, by which test.',
      },
      { source: 'CHANGELOG.md', description: 'What changed in each version.' },
    ],
  },
  {
    title: 'Explanation',
    pages: [
      { source: 'docs/replay-order.md', description: 'When a mock server sends each recorded message, and why.' },
      {
        source: 'docs/replay-client.md',
        description: 'When a mock client sends each recorded message to the server under test.',
      },
      {
        source: 'docs/matching.md',
        title: 'How requests are matched',
        description: 'How a live request finds the recorded request that it stands for.',
      },
      { source: 'docs/guarantees.md', description: 'Which differences from a cassette fail a test, and which do not.' },
      { source: 'docs/reliability.md', description: 'Results of the long and random tests, each with its command.' },
      { source: 'docs/performance.md', description: 'What a recorder and a mock server cost, measured.' },
      {
        source: 'docs/sdk-under-faults.md',
        title: 'SDK clients under faults',
        description: 'How the official SDK clients behave when a server fails.',
      },
      {
        source: 'docs/field-clients.md',
        description: 'What the users of other clients and hosts see when a server fails.',
      },
      {
        source: 'docs/field-servers.md',
        description: 'What other servers do when a client leaves, cancels or sends broken JSON.',
      },
      { source: 'docs/comparison.md', description: 'Which tool for MCP fits which task.' },
      {
        source: 'docs/comparison-details.md',
        description: 'Other recorders for MCP, feature by feature, tried and measured.',
      },
      {
        source: 'docs/mocking-features.md',
        title: 'Comparison with mocking tools',
        description: 'MSW, WireMock, aimock and Playwright beside mcp-record.',
      },
    ],
  },
  {
    title: 'Contributing',
    pages: [
      { source: 'CONTRIBUTING.md', description: 'Commands, structure, names, code and tests of the project.' },
      {
        source: 'docs/contributing.md',
        title: 'Recipes',
        description: 'Add a fault, a lint rule, a command, a converter or a page, step by step.',
      },
      { source: 'docs/architecture.md', description: 'The parts of the program and the glossary.' },
      {
        source: 'docs/dependencies.md',
        title: 'Dependencies',
        description: 'What is installed with the package, and why.',
      },
      { source: 'SECURITY.md', title: 'Security', description: 'How to report a vulnerability, and what is promised.' },
      { source: 'CODE_OF_CONDUCT.md', title: 'Code of conduct', description: 'How we treat each other.' },
    ],
    folders: [
      { source: 'docs/decisions', title: 'Decisions' },
      { source: 'docs/discoveries', title: 'Found in SDK clients' },
    ],
  },
];

/** The group that the pages made from the types belong to. */
export const API_GROUP = 'Reference';

/** Groups that coding agents may skip. llms.txt lists them as optional, and llms-full.txt leaves them out. */
export const OPTIONAL_GROUPS: readonly string[] = ['Contributing'];

/** What a sidebar gets wrong about the Markdown files that there are. */
export interface SidebarFaults {
  /** Pages of `docs/` without a group. */
  missing: string[];
  /** Entries without a file. */
  unknown: string[];
  /** Pages in more than one place. */
  repeated: string[];
}

/** Compares a sidebar with the Markdown files of the repository. */
export function sidebarFaults(groups: readonly Group[], files: readonly string[]): SidebarFaults {
  const isIn = (folder: string) => (file: string) => file.startsWith(`${folder}/`);
  const folders = groups.flatMap((group) => group.folders ?? []).map(({ source }) => source);
  const entries = groups.flatMap(({ pages }) => pages.map(({ source }) => source));
  const placed = [...entries, ...folders.flatMap((folder) => files.filter(isIn(folder)))];
  return {
    missing: files.filter((file) => isIn('docs')(file) && !placed.includes(file)),
    unknown: [
      ...entries.filter((entry) => !files.includes(entry)),
      ...folders.filter((folder) => !files.some(isIn(folder))),
    ],
    repeated: [...new Set(placed.filter((file, index) => placed.indexOf(file) !== index))],
  };
}
