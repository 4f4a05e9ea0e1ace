import { useSignal } from '@preact/signals';
import type { OfferedFault } from '../../data/live/verification-and-mock-types.ts';
import { Text } from '../text-and-badges.tsx';
import type { WorkState } from './verification-and-mock-state.ts';

/** Menu of the faults that fit the message at a line. A click adds the fault to the mock server. */
export function FaultMenu({ work, line }: { work: WorkState; line: number }) {
  const faults = useSignal<readonly OfferedFault[] | undefined>(undefined);
  const added = useSignal<string | undefined>(undefined);
  if (work.mock.value?.isServing !== true) return null;
  const open = async () => {
    faults.value ??= await work.faultsAt(line);
  };
  const add = async (fault: string) => {
    if (await work.act('faults/add', { line, fault })) added.value = fault;
  };
  return (
    <details class="fault-menu" onToggle={open}>
      <summary>⚡ Inject a fault into the mock server</summary>
      <p role="status">{added.value !== undefined && `${added.value} is injected from now on.`}</p>
      {faults.value?.length === 0 && <p class="note">No fault fits this message.</p>}
      <ul>
        {faults.value?.map(({ name, doc }) => (
          <li key={name}>
            <button type="button" onClick={() => void add(name)}>
              <b>{name}</b> <Text of={doc} />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
