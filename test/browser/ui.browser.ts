import { appendFileSync, copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { call, client, request, result, server } from '../support/conversation.ts';
import { fixture, Running, recorder } from '../support/process.ts';
import { launch, openUrl } from './chromium.ts';
import { END, events, HEAD, ui } from './live.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const EVERYTHING = 'cassettes/everything.yaml';
const info = (name: string) => ({
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name, version: '1' },
});
const begun = (name: string) => HEAD + events(client(request(0, 'initialize', info(name))));
const one = (id: number, text: string) => events(client(call(id, 'echo', { text })), server(result(id, text)));

/** Waits until the bar above a session says so. */
const saysState = (page: Page, text: string | RegExp) =>
  page.locator('nav.live p').filter({ hasText: text }).first().waitFor();
const row = (page: Page, text: string) => page.getByRole('option').filter({ hasText: text });
const session = (url: string, name: string) => `${url}?session=${name}`;

describe('the list of sessions', () => {
  it('has a row for each cassette, with its peers and how far it is, and follows what comes and grows', async () => {
    const folder = temporaryFolder();
    copyFileSync(EVERYTHING, join(folder, 'everything.yaml'));
    writeFileSync(join(folder, 'growing.yaml'), begun('agent'));
    writeFileSync(join(folder, 'foreign.yaml'), 'services: []\n');
    await using served = await ui(folder);
    await using opened = await openUrl(browser, served.url);
    const { page, troubles } = opened;
    const line = (name: string) => page.getByRole('row').filter({ hasText: name });
    await line('everything.yaml').getByText('■ ended').waitFor();
    expect(await line('everything.yaml').textContent()).toMatch(
      /demo-client 1\.0\.0mcp-servers\/everything 2\.0\.0164/,
    );
    expect(await line('growing.yaml').textContent()).toContain('● growingagent 1');
    expect(await line('foreign.yaml').textContent()).toContain('? no cassette');
    expect(await page.getByRole('status').allTextContents()).toContain('3 cassettes, 1 growing');

    appendFileSync(join(folder, 'growing.yaml'), one(1, 'hello') + END);
    await line('growing.yaml').getByText('■ ended').waitFor();
    writeFileSync(join(folder, 'new.yaml'), begun('newcomer'));
    await line('new.yaml').getByText('newcomer').waitFor();
    rmSync(join(folder, 'new.yaml'));
    await line('new.yaml').getByText('⊘ removed').waitFor();
    expect(troubles).toEqual([]);
  });

  it('is left for a session and found again, by mouse, by keys and by the way back', async () => {
    const folder = temporaryFolder();
    for (const name of ['a.yaml', 'b.yaml']) copyFileSync(EVERYTHING, join(folder, name));
    await using served = await ui(folder);
    await using opened = await openUrl(browser, served.url);
    const { page, troubles } = opened;
    await page.getByRole('link', { name: 'a.yaml' }).click();
    await page.getByRole('heading', { name: /a\.yaml$/ }).waitFor();
    expect(await page.title()).toBe('a.yaml · mcp-record');
    await page.goBack();
    await page.getByRole('link', { name: 'b.yaml' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /b\.yaml$/ }).waitFor();
    await row(page, 'get-tiny-image').first().click();
    expect(page.url()).toMatch(/\?session=b\.yaml#line-\d+$/);
    const link = page.url();
    await page.getByRole('link', { name: '← Sessions' }).click();
    await page.getByRole('link', { name: 'a.yaml' }).waitFor();
    expect(page.url()).toBe(served.url);

    await using again = await openUrl(browser, link);
    await again.page.getByRole('option', { selected: true }).filter({ hasText: 'get-tiny-image' }).waitFor();
    expect([...troubles, ...again.troubles]).toEqual([]);
  });

  it('of a folder without cassettes says so, and shows the first one that comes, from a real recorder', async () => {
    const folder = temporaryFolder();
    await using served = await ui(folder);
    await using opened = await openUrl(browser, served.url);
    const { page, troubles } = opened;
    await page.getByText('There is no cassette in this folder yet.').waitFor();
    expect(await page.locator('pre').textContent()).toBe(`mcp-record record -o ${folder}/ -- COMMAND`);

    await using recording = new Running(recorder(join(folder, 'first.yaml'), fixture('answers.js'))).read();
    recording.child.stdin.write(`${JSON.stringify(call(1, 'hello', { text: 'over there' }))}\n`);
    await page.getByRole('heading', { name: /first\.yaml$/ }).waitFor();
    await row(page, 'hello').waitFor();
    await saysState(page, '● growing');
    recording.child.stdin.write(`${JSON.stringify(call(2, 'later'))}\n`);
    await row(page, 'later').waitFor();
    recording.child.stdin.end();
    await saysState(page, '■ ended');
    expect(troubles).toEqual([]);
  });
});

describe('a session', () => {
  it('grows on the page, in two browsers, and keeps what is selected, searched for and scrolled to', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'live.yaml');
    writeFileSync(file, begun('agent'));
    await using served = await ui(folder);
    await using first = await openUrl(browser, session(served.url, 'live.yaml'));
    await using second = await openUrl(browser, session(served.url, 'live.yaml'));
    const { page } = first;
    await row(page, 'initialize').waitFor();
    appendFileSync(file, events(client(call(1, 'slow', { text: 'one' }))));
    await row(page, 'slow').filter({ hasText: 'in flight' }).waitFor();
    await row(page, 'slow').click();
    appendFileSync(file, events(server(result(1, 'finished'), 40)));
    await page.getByText('finished').first().waitFor();
    expect(await row(page, 'slow').textContent()).not.toContain('in flight');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');

    for (let id = 2; id < 60; id++) appendFileSync(file, one(id, `text ${id}`));
    for (const { page: each } of [first, second]) await row(each, 'text 59').waitFor();
    expect(await page.getByText('60 calls').count()).toBe(1);

    const list = page.locator('.rows');
    await list.evaluate((element) => (element.scrollTop = 0));
    appendFileSync(file, one(60, 'text 60'));
    await row(second.page, 'text 60').waitFor();
    await page.getByText('61 calls').waitFor();
    expect(await list.evaluate((element) => element.scrollTop)).toBe(0);

    await page.getByRole('combobox').fill('"text 6"');
    appendFileSync(file, one(61, 'text 61') + one(72, 'text 72'));
    await page.getByText('3 of 63 calls').waitFor();
    expect([...first.troubles, ...second.troubles]).toEqual([]);
  });

  it('says when another recording takes its place, and shows that', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'live.yaml');
    writeFileSync(file, begun('agent') + one(1, 'before'));
    await using served = await ui(folder);
    await using opened = await openUrl(browser, session(served.url, 'live.yaml'));
    const { page } = opened;
    await row(page, 'before').click();
    writeFileSync(`${file}.new`, begun('another') + one(1, 'after'));
    renameSync(`${file}.new`, file);
    await saysState(page, /Another recording took the place of this one at \d\d:\d\d:\d\d\. This is the new one\./);
    await row(page, 'after').waitFor();
    expect(await row(page, 'before').count()).toBe(0);
    expect(await page.getByRole('option', { selected: true }).count()).toBe(0);
    expect(opened.troubles).toEqual([]);
  });

  it('says when it is removed, and keeps what it held', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'live.yaml');
    writeFileSync(file, begun('agent') + one(1, 'kept'));
    await using served = await ui(folder);
    await using opened = await openUrl(browser, session(served.url, 'live.yaml'));
    const { page } = opened;
    await row(page, 'kept').waitFor();
    rmSync(file);
    await saysState(page, '⊘ removed: the file is gone. This page keeps what it has of it.');
    expect(await row(page, 'kept').count()).toBe(1);
    writeFileSync(file, begun('agent') + one(1, 'again'));
    await row(page, 'again').waitFor();
    await saysState(page, '● growing');
    expect(await row(page, 'kept').count()).toBe(0);
  });

  it('says where it is damaged while it grows, and goes on once it is mended', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'live.yaml');
    writeFileSync(file, begun('agent') + one(1, 'sound'));
    await using served = await ui(folder);
    await using opened = await openUrl(browser, session(served.url, 'live.yaml'));
    const { page } = opened;
    await row(page, 'sound').waitFor();
    appendFileSync(file, `${one(2, 'last sound')}cliemt:\n    id: 3\n- client:\n`);
    await saysState(page, '✗ damaged: this is what stands before the damage.');
    await saysState(page, /live\.yaml: .*cliemt.* \(line \d+\)\. \[CASSETTE_BAD_EVENT\] /);
    await row(page, 'last sound').waitFor();
    writeFileSync(file, begun('agent') + one(1, 'sound') + one(2, 'mended'));
    await row(page, 'mended').waitFor();
    await saysState(page, '● growing');
    expect(opened.troubles).toEqual([]);
  });

  it('shows what a person writes by hand, and changes', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'own.yaml');
    const own = (text: string) =>
      `format: mcp-record/1\ntransport: stdio\nevents:\n- client: {method: tools/call, params: {name: ${text}}}\n- server: {result: {}}`;
    writeFileSync(file, own('one'));
    await using served = await ui(folder);
    await using opened = await openUrl(browser, session(served.url, 'own.yaml'));
    const { page } = opened;
    await row(page, 'one').filter({ hasText: '✓' }).waitFor();
    await saysState(page, '✎ by hand');
    writeFileSync(file, own('two'));
    await row(page, 'two').waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
  });

  it('has the marks of lint once it is at rest', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'live.yaml');
    writeFileSync(file, begun('agent'));
    await using served = await ui(folder);
    await using opened = await openUrl(browser, session(served.url, 'live.yaml'));
    appendFileSync(file, events(client(call(1, 'a')), client(call(1, 'b'))));
    await row(opened.page, 'b').getByText('⚑').first().waitFor();
  });

  it('that is not there is said to be none, and one that is asked for by its file alone is shown at once', async () => {
    const folder = temporaryFolder();
    copyFileSync(EVERYTHING, join(folder, 'one.yaml'));
    copyFileSync(EVERYTHING, join(folder, 'other.yaml'));
    await using served = await ui(folder, join(folder, 'one.yaml'));
    await using opened = await openUrl(browser, served.url);
    const { page } = opened;
    await page.getByRole('heading', { name: /one\.yaml$/ }).waitFor();
    expect(await page.getByRole('link', { name: '← Sessions' }).count()).toBe(0);
    for (const name of ['other.yaml', '../other.yaml', '%2Fetc%2Fpasswd']) {
      await page.goto(session(served.url, name));
      await page.getByText('There is no cassette of this name.').waitFor();
    }
    expect(opened.troubles).toEqual([]);
  });

  it('says when mcp-record ui has ended, and keeps what it showed', async () => {
    const folder = temporaryFolder();
    copyFileSync(EVERYTHING, join(folder, 'one.yaml'));
    await using served = await ui(folder);
    await using opened = await openUrl(browser, session(served.url, 'one.yaml'));
    await row(opened.page, 'initialize').waitFor();
    await served.stop();
    await saysState(opened.page, 'mcp-record ui does not answer.');
    expect(await row(opened.page, 'initialize').count()).toBe(1);
  });
});
