import { gunzipSync } from 'fflate';
import { render } from 'preact';
import type { ReportData } from '../data/report-data-types.ts';
import { Page } from './page.tsx';
import { PageState } from './page-state.ts';

const block = atob(document.getElementById('data')!.textContent);
const compressed = new Uint8Array(block.length);
for (let at = 0; at < block.length; at++) compressed[at] = block.charCodeAt(at);

let state: PageState | undefined;
// Prints all rows up to the limit of the list, even if printing starts before the data is unpacked asynchronously.
window.addEventListener('beforeprint', () => draw(unpackedNow(), true));
window.addEventListener('afterprint', () => draw(unpackedNow(), false));
window.addEventListener('hashchange', () => state?.follow());

const unpacked = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
const data: ReportData = await new Response(unpacked).json();
draw(begin(data), false);

function unpackedNow(): PageState {
  return state ?? begin(JSON.parse(new TextDecoder().decode(gunzipSync(compressed))));
}

function begin({ views }: ReportData): PageState {
  if (state === undefined) {
    state = new PageState(views);
    state.follow();
  }
  return state;
}

function draw(shown: PageState, isPrinted: boolean): void {
  render(<Page state={shown} isPrinted={isPrinted} />, document.getElementById('page')!);
}
