import { render } from 'preact';
import type { LoadPageData } from '../data/load/load-page-data.ts';
import { embeddedBytes, unpacked } from './embedded-data.ts';
import { LoadPage } from './load/load-page.tsx';

const data = await unpacked<LoadPageData>(embeddedBytes());
render(<LoadPage data={data} />, document.getElementById('page')!);
