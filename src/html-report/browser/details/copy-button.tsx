import { useSignal } from '@preact/signals';

/** Button that copies a text and reports success or failure. */
export function CopyButton({ name, text }: { name: string; text: () => string }) {
  const said = useSignal<string | undefined>(undefined);
  const onClick = async () => {
    said.value = (await isCopied(text())) ? 'Copied' : 'Cannot copy here';
  };
  return (
    <button type="button" class="copy" onClick={onClick} onBlur={() => (said.value = undefined)}>
      {/* The invisible name keeps the button's width: its neighbours must not move away under the pointer. */}
      <span class={said.value && 'replaced'}>{name}</span>
      {said.value && <span class="said">{said.value}</span>}
    </button>
  );
}

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return isCopiedAsSelected(text);
  }
}

/** Copies through a selection in browsers without a clipboard API. */
function isCopiedAsSelected(text: string): boolean {
  const focused = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { className: 'unseen', readOnly: true, value: text });
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isDone;
}
