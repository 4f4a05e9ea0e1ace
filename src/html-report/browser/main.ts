import type { ReportData } from '../data/report-data-types.ts';
import { ReportPage } from './report-page.ts';

const data: ReportData = JSON.parse(document.getElementById('data')!.textContent ?? '');
new ReportPage(data).start(document.getElementById('page')!);
