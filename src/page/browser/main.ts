import type { PageData } from '../page-data.ts';
import { Page } from './page.ts';

const data: PageData = JSON.parse(document.getElementById('data')!.textContent ?? '');
new Page(data).start(document.getElementById('page')!);
