import { basename } from 'node:path';
import type { Cassette } from '../../cassette/cassette.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import type { MockFinding, MockRule, MockUpdate } from '../../html-report/data/live/verification-and-mock-types.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ListeningServer } from '../../mock/server/fault-proxied-server.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { FittingFault } from './fitting-faults.ts';

/** Fault rule of the mock server, with its description for pages. */
interface InjectedRule extends MockRule {
  rule: Rule;
}

/** Maximum number of findings that a page shows. */
const FINDINGS_MAX = 50;

export interface ServedMockOptions {
  /** Path of the cassette. */
  file: string;
  clock: Clock;
  /** Called after each change. */
  changed(): void;
}

/**
 * Starts a mock server that plays a cassette, at `address`, or at a free port of this machine.
 * @throws McpRecordError those of `loadCassette`, HTTP_CANNOT_LISTEN
 */
export async function startServedMock(
  options: ServedMockOptions,
  address?: { hostname: string; port: number },
): Promise<ServedMock> {
  const { file, clock } = options;
  const cassette = loadCassette(file);
  const { startListeningServer } = await import('../../mock/server/fault-proxied-server.ts');
  const mock = new ServedMock({ ...options, cassette });
  const server = await startListeningServer({
    name: file,
    endpoint: { clock },
    played: { files: [cassette], report: mock.found, sent: ({ line }) => mock.sent(line) },
    faults: { rules: [], seed: 0 },
    fired: ({ rule }, rules) => mock.fired(rules[rule - 1]),
    unfired: () => [],
    ...(address && { address }),
  });
  mock.serve(server);
  return mock;
}

/**
 * Ends a mock server, and starts it again at the same URL with the changed cassette and the same fault rules.
 * @throws McpRecordError as `startServedMock`
 */
export async function restartedMock(mock: ServedMock): Promise<ServedMock> {
  const { hostname, port } = new URL(mock.url);
  await mock.stop();
  const restarted = await startServedMock(mock.options, { hostname, port: Number(port) });
  restarted.continueRules(mock);
  restarted.note('The mock server was started again with the saved answer: connect your client again.');
  return restarted;
}

/** A mock server that plays a cassette, as pages watch it. */
export class ServedMock {
  isServing = false;
  url = '';
  /** Lines of the sent messages, in order. */
  readonly lines: number[] = [];
  /** How often each line was sent. */
  readonly counts: Map<number, number> = new Map();
  /** The last findings. */
  readonly findings: MockFinding[] = [];
  /** Number of all findings, and of misses. */
  findingCount = 0;
  missCount = 0;
  /** Number of changes. */
  version = 0;
  /** Active fault rules, in order of addition. */
  rules: InjectedRule[] = [];
  readonly options: ServedMockOptions & { cassette: Cassette };
  #ruleCount = 0;
  #server: ListeningServer | undefined;

  constructor(options: ServedMockOptions & { cassette: Cassette }) {
    this.options = options;
  }

  serve(server: ListeningServer): void {
    this.#server = server;
    this.url = server.url;
    this.isServing = true;
    void server.exited.then((status) => {
      this.note(`A fault has ended the server with ${status}.`);
      return this.stop();
    });
  }

  /** Returns the faults that fit the message at a line. */
  async faultsAt(line: number): Promise<FittingFault[]> {
    const { fittingFaults } = await import('./fitting-faults.ts');
    return fittingFaults(this.options.cassette, line);
  }

  /** Adds a fault rule, from the next message on. */
  inject({ name, rule, yaml }: FittingFault): void {
    this.#ruleCount += 1;
    this.#use([...this.rules, { id: this.#ruleCount, fault: name, rule, yaml, fired: 0 }]);
  }

  /** Removes a fault rule. Returns whether there was one of this number. */
  remove(id: number): boolean {
    const rules = this.rules.filter((rule) => rule.id !== id);
    const isThere = rules.length < this.rules.length;
    if (isThere) this.#use(rules);
    return isThere;
  }

  /** Uses the fault rules of an earlier mock server, which have not fired here. */
  continueRules({ rules }: ServedMock): void {
    this.#ruleCount = Math.max(0, ...rules.map(({ id }) => id));
    if (rules.length > 0) this.#use(rules.map((rule) => ({ ...rule, fired: 0 })));
  }

  /** Notes what has happened to the server, for pages. */
  note(text: string): void {
    this.#add({ isMiss: false, text });
  }

  /** Notes that a rule has fired. */
  fired(rule: Rule | undefined): void {
    const injected = this.rules.find((one) => one.rule === rule);
    if (injected === undefined) return;
    injected.fired += 1;
    this.#change();
  }

  /** Notes a sent message. */
  sent(line: number): void {
    this.lines.push(line);
    this.counts.set(line, (this.counts.get(line) ?? 0) + 1);
    this.#change();
  }

  /**
   * Records a finding. Findings about the end of a session are dropped, because a person rarely uses the whole
   * cassette.
   */
  readonly found = ({ kind, text }: Finding): void => {
    if (!this.isServing || kind === 'unsent' || kind === 'unanswered') return;
    const { file } = this.options;
    this.#add({ isMiss: kind === 'miss', text: text.replaceAll(file, basename(file)) });
  };

  /** Stops the server. Resolves when the server has stopped listening. */
  async stop(): Promise<void> {
    if (!this.isServing) return;
    this.isServing = false;
    await this.#server?.finish();
    this.#change();
  }

  #use(rules: InjectedRule[]): void {
    this.rules = rules;
    this.#server?.use(rules.map(({ rule }) => rule));
    this.#change();
  }

  #add(finding: MockFinding): void {
    this.findingCount += 1;
    if (finding.isMiss) this.missCount += 1;
    if (this.findings.push(finding) > FINDINGS_MAX) this.findings.shift();
    this.#change();
  }

  #change(): void {
    this.version += 1;
    this.options.changed();
  }
}

/** Cursor of one page in a mock server: it returns the updates that the page lacks. */
export class MockCursor {
  #of: ServedMock | undefined;
  #edition = 0;
  #version = -1;
  #sent = 0;

  /** Returns the next update. Undefined: the page is up to date. */
  next(mock: ServedMock | undefined): MockUpdate | undefined {
    if (mock === undefined) return undefined;
    if (mock !== this.#of) {
      this.#of = mock;
      this.#edition += 1;
      this.#version = -1;
      this.#sent = 0;
    }
    if (mock.version === this.#version) return undefined;
    this.#version = mock.version;
    const lines = new Set(mock.lines.slice(this.#sent));
    this.#sent = mock.lines.length;
    return {
      edition: this.#edition,
      isServing: mock.isServing,
      url: mock.url,
      played: [...lines].map((line) => [line, mock.counts.get(line)!]),
      findings: mock.findings,
      found: mock.findingCount,
      missed: mock.missCount,
      rules: mock.rules.map(({ rule: _, ...shown }) => shown),
    };
  }
}
