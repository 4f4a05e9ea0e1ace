import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds wrong, by rule, with the elements. */
export async function findings(page: Page, ...rules: string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async (only) => {
    const { run } = (globalThis as unknown as { axe: typeof import('axe-core') }).axe;
    // What has passed is not described: finding a selector for each of its elements takes most of the time.
    const { violations } = await run({ resultTypes: ['violations'], ...(only.length > 0 && { runOnly: only }) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' | ')}`);
  }, rules);
}
