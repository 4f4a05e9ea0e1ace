import { useSignal } from '@preact/signals';
import type { Hello } from '../../data/live-page-protocol.ts';
import { CopyButton } from '../details/copy-button.tsx';
import { Text } from '../text-and-badges.tsx';
import { ForkPanel } from './fork/fork-panel.tsx';
import type { LiveState } from './live-state.ts';
import { MockPanel } from './mock-panel.tsx';
import { Problem } from './problem.tsx';
import { VerificationPanel } from './verification-outcome.tsx';

/** Actions for the open session: verifying the live server, serving the cassette to clients, and forks of it. */
export function WorkPanel({ state }: { state: LiveState }) {
  const { work, hello } = state;
  const isAsking = useSignal(false);
  const isByHand = useSignal(false);
  const isRunning = work.verification.value?.state === 'running';
  const isServing = work.mock.value?.isServing === true;
  const server = hello.value?.server;
  const verify = () => {
    if (server === undefined) isAsking.value = !isAsking.value;
    else if (isRunning) void work.act('verify/stop');
    else void work.act('verify', { byHand: isByHand.value });
  };
  return (
    <section class="work" aria-label="Work with the session">
      <div class="work-buttons">
        <button type="button" onClick={verify} {...(server === undefined && { 'aria-expanded': isAsking.value })}>
          {isRunning ? '■ Stop verifying' : '▶ Verify'}
        </button>
        {server !== undefined && (
          <span class="note">
            against <Text of={server} />
          </span>
        )}
        {server !== undefined && (
          <label>
            <input
              type="checkbox"
              checked={isByHand.value}
              disabled={isRunning}
              onChange={({ currentTarget }) => (isByHand.value = currentTarget.checked)}
            />{' '}
            Answer the server’s questions myself
          </label>
        )}
        <button type="button" onClick={() => void work.act(isServing ? 'serve/stop' : 'serve')}>
          {isServing ? '■ Stop serving' : '⇄ Serve'}
        </button>
      </div>
      {isAsking.value && server === undefined && <HowToVerify hello={hello.value} />}
      {work.problem.value && <Problem problem={work.problem.value} />}
      <VerificationPanel state={state} />
      <MockPanel work={work} />
      <ForkPanel state={state} />
    </section>
  );
}

/** The command that names a server under test. A page cannot name one. */
function HowToVerify({ hello }: { hello: Hello | undefined }) {
  const path = hello?.path ?? '.';
  const command = `mcp-record ui ${/\s/.test(path) ? `'${path}'` : path} -- node server.js`;
  return (
    <div class="how-to">
      <p>
        This page verifies a server that the command line names. End <code>mcp-record ui</code>, and start it again with
        the command of your server, or with <code>--http URL</code>:
      </p>
      <p class="command">
        <code>
          <Text of={command} />
        </code>
        <CopyButton name="Copy" text={() => command} />
      </p>
    </div>
  );
}
