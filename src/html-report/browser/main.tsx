import { gunzipSync } from 'fflate';
import { render } from 'preact';
import type { ReportData } from '../data/report-data-types.ts';
import { timelineOf } from '../data/timeline/timeline-of-sessions.ts';
import { embeddedBytes, unpacked } from './embedded-data.ts';
import { Page } from './page.tsx';
import { PageState } from './page-state.ts';

const compressed = embeddedBytes();

let state: PageState | undefined;
// Prints all rows up to the limit of the list, even if printing starts before the data is unpacked asynchronously.
window.addEventListener('beforeprint', () => draw(unpackedNow(), true));
window.addEventListener('afterprint', () => draw(unpackedNow(), false));
window.addEventListener('hashchange', () => state?.follow());

draw(begin(await unpacked<ReportData>(compressed)), false);

function unpackedNow(): PageState {
  return state ?? begin(JSON.parse(new TextDecoder().decode(gunzipSync(compressed))));
}

function begin({ views, isTimeline }: ReportData): PageState {
  if (state === undefined) {
    state = new PageState(isTimeline ? [timelineOf(views), ...views] : views);
    state.follow();
  }
  return state;
}

function draw(shown: PageState, isPrinted: boolean): void {
  render(<Page state={shown} isPrinted={isPrinted} />, document.getElementById('page')!);
}
