import { useSignal } from '@preact/signals';
import type { Item, View } from '../../../data/report-data-types.ts';
import { forkLine } from '../../details/copy-as.ts';
import type { LiveState } from '../live-state.ts';

/** Menu of a call: replays the session up to this call, and then lets a client go on with the live server. */
export function ForkMenu({ state, view, item }: { state: LiveState; view: View; item: Item }) {
  const withClient = useSignal(false);
  const call = item.kind === 'request' ? item : view.items[item.request ?? -1];
  if (state.hello.value?.server === undefined || call?.from !== 'client') return null;
  const line = forkLine(call, view);
  if (line === undefined) return null;
  return (
    <details class="fork-menu">
      <summary>Replay up to here, then live</summary>
      <p>
        <label>
          <input
            type="checkbox"
            checked={withClient.value}
            onChange={({ currentTarget }) => (withClient.value = currentTarget.checked)}
          />{' '}
          My client makes the recorded calls itself
        </label>
      </p>
      <p>
        <button type="button" onClick={() => void state.work.act('fork', { line, withClient: withClient.value })}>
          Replay up to line {line}
        </button>
      </p>
    </details>
  );
}
