import type { Cassette } from '../../../cassette/cassette.ts';
import { usesMethod } from '../../../cassette/uses-method.ts';
import type { Channel } from '../../../channel/channel.ts';
import { MessageLog } from '../../../journal/message-log.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { startControlApi } from '../../../mock/control/control-api-server.ts';
import { ServerControl } from '../../../mock/control/control-operations.ts';
import { FailingRequests } from '../../../mock/control/failing-requests.ts';
import { FaultHistory } from '../../../mock/control/fault-rules-and-firings.ts';
import { recordedRevisions } from '../../../mock/control/revisions-in-cassettes.ts';
import { ServerHandlers } from '../../../mock/server/handlers-and-sessions.ts';
import { expectationsOf } from '../../../replay/findings/failure-policy.ts';
import { type Finding, unusedFinding } from '../../../replay/findings/finding.ts';
import { replayOutcome } from '../../../replay/findings/replay-outcome.ts';
import { STDIO_PROGRESS_GAP } from '../../../replay/player/delay-response-after-progress.ts';
import type { PlayedRun } from '../../../replay/player/player-options.ts';
import type { ServedFaults, ServeOptions } from '../../../replay/serve-stdio.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { overheard } from '../../io/mock-process-log-writer.ts';
import { say } from '../../io/output.ts';
import type { Faults } from '../../options/fault-options.ts';
import { parseListenAddress } from '../../options/listen-address.ts';
import { parseReaction } from './on-difference-option.ts';
import type { Options } from './replay.ts';

/** The control API of a mock server over stdio, with its hooks into the server. */
export interface StdioControl {
  served: Pick<ServeOptions, 'channel' | 'intercept' | 'isHandled' | 'started'>;
  faults: ServedFaults;
  /** Notes a finding. */
  addFinding(finding: Finding): void;
  /** Prints required faults that have not fired. Returns whether they fail the run. */
  fellShort(): boolean;
}

interface StdioControlOptions {
  options: Options;
  path: string;
  cassette: Cassette;
  channel: Channel;
  faults: Faults | undefined;
  report(finding: Finding): void;
}

/**
 * Starts the control API of `mcp-record replay FILE --control ADDRESS`. The mock server has one session, with the
 * client that started it.
 * @throws McpRecordError USAGE_BAD_LISTEN, HTTP_CANNOT_LISTEN
 */
export async function controlStdio(controlled: StdioControlOptions): Promise<StdioControl> {
  const { options, path, cassette, faults: initialFaults, report } = controlled;
  const { strict = false, strictFaults = false } = options;
  const initial = { rules: initialFaults?.rules ?? [], seed: initialFaults?.seed ?? 0 };
  const faults = new FaultHistory({ initial, isInitialRequired: strictFaults });
  const failing = new FailingRequests();
  const handlers = new ServerHandlers({
    handlers: [],
    recorded: () => cassette.events,
    clock: systemClock,
    progressGap: STDIO_PROGRESS_GAP,
  });
  const log = new MessageLog(systemClock);
  const session = 1;
  const found: Finding[] = [];
  let runs: () => readonly PlayedRun[] = () => [];
  let isChanged = false;
  const expectations = { ...expectationsOf(strict, parseReaction(options.onDifference)), onUnfired: 'fail' } as const;
  const unfired = () => [...faults.unfired(), ...failing.unmet()];
  const control = new ServerControl({
    server: {
      ...{ transport: 'stdio', cassette: path, protocol: recordedRevisions([cassette]) },
      usesMethod: (method) => usesMethod([cassette], method),
      ...{ journal: log.journal, handlers },
      useFaults: () => {
        isChanged = true;
      },
      outcome: () => {
        const never = unfired().map((text): Finding => ({ kind: 'unfired', text }));
        const unused = runs().flatMap((run) => (run.unused.length > 0 ? [unusedFinding(run.unused, run.file)] : []));
        return replayOutcome([...found, ...handlers.openFindings, ...unused, ...never], expectations);
      },
    },
    faults,
    failing,
    clock: systemClock,
  });
  const refused = (request: string, why: string) => say(`refused ${printable(request)}: ${printable(why)}`);
  const address = parseListenAddress(options.control!, '--control');
  const api = await startControlApi({ control, address, allowed: [], refused });
  say(`control API on ${api.url}`);
  return {
    served: {
      channel: overheard(controlled.channel, (from, message) => {
        if (from === 'client') log.addFromClient(message, { session });
        else log.addFromServer(message, { session });
      }),
      intercept: (play) => handlers.player(play, report),
      isHandled: handlers.isHandled,
      started: (played) => {
        runs = played;
      },
    },
    faults: {
      ...initial,
      fired(one, rules) {
        faults.noteFired(one, rules);
        if (rules === initial.rules) initialFaults?.fired(one);
      },
      unchanged(one, rules) {
        faults.noteUnchanged(one, rules);
        if (rules === initial.rules) initialFaults?.unchanged(one);
      },
      changed() {
        if (!isChanged) return undefined;
        isChanged = false;
        return faults.now;
      },
    },
    addFinding: (finding) => void found.push(finding),
    fellShort() {
      const never = unfired().map((text): Finding => ({ kind: 'unfired', text }));
      const { findings, failed } = replayOutcome([...handlers.openFindings, ...never], expectations);
      for (const { text } of findings) say(text);
      return failed || initialFaults?.isJournalLost === true;
    },
  };
}
