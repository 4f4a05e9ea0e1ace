import type { PageData } from '../data/report-data.ts';
import { Page } from './report-page.ts';

const data: PageData = JSON.parse(document.getElementById('data')!.textContent ?? '');
new Page(data).start(document.getElementById('page')!);
