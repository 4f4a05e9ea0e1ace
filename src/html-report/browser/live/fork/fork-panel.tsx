import { CopyButton } from '../../details/copy-button.tsx';
import { Text } from '../../text-and-badges.tsx';
import { addressOf, type LiveState } from '../live-state.ts';
import { Problem } from '../problem.tsx';

/** The fork of the session: the URL for its client, its new cassette, and how the live server has answered. */
export function ForkPanel({ state }: { state: LiveState }) {
  const fork = state.work.fork.value;
  if (fork === undefined) return null;
  const { isOpen, line, url, hasClient, output, notes, problem } = fork;
  const name = (state.name.value ?? '').replace(/[^/]*$/, output);
  return (
    <>
      <p class="command">
        <b role="status">
          {isOpen ? `Replayed up to line ${line}, then live, at` : `The session from line ${line} has ended`}
        </b>
        {isOpen && (
          <>
            <code>{url}</code>
            <CopyButton name="Copy URL" text={() => url} />
            <button type="button" onClick={() => void state.work.act('fork/stop')}>
              ■ End the session
            </button>
          </>
        )}
        <span class="note">
          {isOpen && !hasClient ? 'waits for its client; records to ' : 'recorded in '}
          {hasClient && state.hello.value?.isFolder ? (
            <a href={addressOf([name])}>
              <Text of={output} />
            </a>
          ) : (
            <Text of={output} />
          )}
        </span>
      </p>
      {notes.length > 0 && (
        <ol class="differing" aria-label="What happened in the fork" tabIndex={0}>
          {notes.map((note) => (
            <li>
              <Text of={note} />
            </li>
          ))}
        </ol>
      )}
      {problem && <Problem problem={problem} />}
      {[...notes, problem?.next ?? ''].some((text) => / --[a-z]/.test(text)) && (
        <p class="note">Options that are named here are those of the command mcp-record fork.</p>
      )}
    </>
  );
}
