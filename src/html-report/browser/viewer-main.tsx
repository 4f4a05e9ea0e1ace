import { render } from 'preact';
import { embeddedBytes, unpackedText } from './embedded-data.ts';
import { Page } from './page.tsx';
import { Opener } from './viewer/opener.tsx';
import { ViewerState } from './viewer/viewer-state.ts';

const state = new ViewerState(unpackedText(embeddedBytes()));

window.addEventListener('beforeprint', () => draw(true));
window.addEventListener('afterprint', () => draw(false));
window.addEventListener('hashchange', () => state.report.value?.follow());
for (const name of ['dragenter', 'dragover'] as const)
  window.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.add('is-dropping');
  });
window.addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) document.body.classList.remove('is-dropping');
});
window.addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('is-dropping');
  if (event.dataTransfer) void state.drop(event.dataTransfer);
});
draw(false);

function draw(isPrinted: boolean): void {
  render(<Opener state={state} />, document.getElementById('opener')!);
  render(<Report isPrinted={isPrinted} />, document.getElementById('page')!);
}

/** The open report. A new one begins anew. */
function Report({ isPrinted }: { isPrinted: boolean }) {
  const report = state.report.value;
  if (report === undefined) return null;
  return <Page key={keyOf(report)} state={report} isPrinted={isPrinted} />;
}

const keys = new WeakMap<object, number>();
let count = 0;

function keyOf(report: object): number {
  const key = keys.get(report) ?? count++;
  keys.set(report, key);
  return key;
}
