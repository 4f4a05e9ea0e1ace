import type { MockRule } from '../../data/live/verification-and-mock-types.ts';
import { CopyButton } from '../details/copy-button.tsx';
import { count } from '../format.ts';
import { Text } from '../text-and-badges.tsx';
import type { WorkState } from './verification-and-mock-state.ts';

/** The mock server that plays the session: its URL, how much it has played, and what went wrong. */
export function MockPanel({ work }: { work: WorkState }) {
  const mock = work.mock.value;
  if (mock === undefined) return null;
  const { isServing, url, played, findings, found, missed, rules } = mock;
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
      {isServing && rules.length > 0 && <Rules work={work} rules={rules} />}
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

/** The fault rules in effect, as YAML for a scenario or a faults file. */
function Rules({ work, rules }: { work: WorkState; rules: readonly MockRule[] }) {
  const yaml = () => `faults:\n${rules.map((rule) => rule.yaml).join('\n')}\n`;
  return (
    <section class="rules" aria-label="Faults">
      <p class="command">
        <b>Faults</b>
        <CopyButton name="Copy YAML" text={yaml} />
      </p>
      <ul>
        {rules.map(({ id, fault, yaml: text, fired }) => (
          <li key={id}>
            <pre tabIndex={0}>
              <Text of={text} />
            </pre>
            <span class="note">{fired === 0 ? 'not fired yet' : `fired ${count(fired)}×`}</span>
            <button
              type="button"
              aria-label={`Remove ${fault}`}
              onClick={() => void work.act('faults/remove', { rule: id })}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
