import { render } from 'preact';
import { LivePage } from './live/live-page.tsx';
import { LiveState } from './live/live-state.ts';

const state = new LiveState();
window.addEventListener('beforeprint', () => draw(true));
window.addEventListener('afterprint', () => draw(false));
window.addEventListener('hashchange', () => state.page.value?.follow());
window.addEventListener('popstate', () => state.followAddress());
state.followAddress();
draw(false);

function draw(isPrinted: boolean): void {
  render(<LivePage state={state} isPrinted={isPrinted} />, document.getElementById('page')!);
}
