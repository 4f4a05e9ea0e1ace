import { CopyButton } from '../details/copy-button.tsx';
import { count } from '../format.ts';
import { Text } from '../text.tsx';
import type { WorkState } from './work-state.ts';

/** The mock server that plays the session: its URL, how much it has played, and what went wrong. */
export function MockPanel({ work }: { work: WorkState }) {
  const mock = work.mock.value;
  if (mock === undefined) return null;
  const { isServing, url, played, findings, found, missed } = mock;
  const messages = [...played.values()].reduce((sum, one) => sum + one, 0);
  return (
    <>
      <p class="command">
        <b role="status">{isServing ? 'Served at' : 'No longer served'}</b>
        {isServing && (
          <>
            <code>{url}</code>
            <CopyButton name="Copy URL" text={() => url} />
          </>
        )}
        <span class="note">
          {count(messages)} {messages === 1 ? 'message' : 'messages'} played, {count(missed)}{' '}
          {missed === 1 ? 'miss' : 'misses'}
        </span>
      </p>
      {found > 0 && (
        <ol class="differing" aria-label="What was not as recorded" tabIndex={0}>
          {[...findings].reverse().map(({ isMiss, text }) => (
            <li>
              {isMiss ? '✗ miss:' : '≠'} <Text of={text} />
            </li>
          ))}
          {found > findings.length && <li>{count(found - findings.length)} earlier ones are not shown.</li>}
        </ol>
      )}
    </>
  );
}
