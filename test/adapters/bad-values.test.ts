import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLiveEndpoint } from '../../src/adapters/endpoint/forward-or-record-endpoint.ts';
import { linkedTransports, recordTransport } from '../../src/adapters/sdk.ts';
import { openMcp, verifyServer, withMcp } from '../../src/adapters/testing.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { openSession } from '../../src/modes/open-session.ts';
import { recordSession, server } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';

const folder = temporaryFolder();
const cassette = join(folder, 'cassette.yaml');
await recordSession(cassette);
const owner = { file: join(folder, 'values.test.js'), names: ['values'] };

/** What a test without types may write. */
const anything = (value: unknown) => value as never;
const inner = { start: async () => {}, send: async () => {}, close: async () => {} };

async function connectWith(options: object): Promise<void> {
  const mcp = openMcp(owner);
  await mcp.connect(server(), { cassette, mode: 'replay', onUnused: 'report', ...options });
  await mcp.finish({ passed: true });
}

const live = () => openLiveEndpoint({ url: 'http://127.0.0.1:1/mcp', cassette, mode: 'passthrough', send: fetch });
const ENDS: [value: unknown][] = [[undefined], [{}], [true], [{ passed: 'no' }], [{ passed: undefined }]];

describe('finish', () => {
  it.each(ENDS)('refuses %j, which does not say whether the test has passed', async (run) => {
    const refused = { code: 'OPTION_BAD_VALUE', message: expect.stringContaining('finish({ passed: true })') };
    await expect(openMcp(owner).finish(anything(run))).rejects.toMatchObject(refused);
    const session = await openSession({ cassette, mode: 'replay' });
    await expect(session.finish(anything(run))).rejects.toMatchObject(refused);
    expect(await session.finish({ passed: true })).toMatchObject({ mode: 'replay' });
    if (run !== undefined) expect(() => live().finish(anything(run))).toThrow(expect.objectContaining(refused));
  });

  it('of an endpoint takes a test for one that has passed', () => {
    expect(live().finish()).toMatchObject({ failed: false });
  });
});

describe('the owner of a test', () => {
  it.each<[owner: unknown, option: string]>([
    [undefined, 'file'],
    [{}, 'file'],
    [{ names: ['values'] }, 'file'],
    [{ file: 'a.test.js' }, 'names'],
    [{ file: 'a.test.js', names: 'values' }, 'names'],
    [{ file: 'a.test.js', names: [] }, 'names'],
  ])('%j is refused', (value, option) => {
    const refused = expect.objectContaining({
      code: 'OPTION_BAD_VALUE',
      message: expect.stringContaining(`the option ${option}`),
    });
    expect(() => openMcp(anything(value))).toThrow(refused);
    expect(() => withMcp(anything(value), async () => {})).toThrow(refused);
  });

  it('comes with a test', () => {
    expect(() => withMcp(owner, anything(undefined))).toThrow(
      /no function, but of the type undefined.*OPTION_BAD_VALUE/,
    );
  });
});

describe('options of a session', () => {
  it.each<[name: string, bad: unknown, good: unknown]>([
    ['expires', '7d', 604_800_000],
    ['expires', Number.NaN, Number.POSITIVE_INFINITY],
    ['expires', -1, 0],
    ['seed', '7', -7],
    ['redact', 'no', false],
    ['redact', null, {}],
    ['env', 'CI', {}],
    ['clock', 5, new ManualClock(new Date())],
  ])('%s refuses %j and takes another value', async (name, bad, good) => {
    await expect(connectWith({ [name]: bad })).rejects.toMatchObject({
      code: 'OPTION_BAD_VALUE',
      message: expect.stringContaining(`the option ${name}`),
    });
    await connectWith({ [name]: good });
  });

  it.each([
    ['patience', '5s'],
    ['timeMax', '5s'],
    ['strict', 'yes'],
    ['otherRequests', 1],
  ])('%s of a verification refuses %j', async (name, bad) => {
    await expect(verifyServer(cassette, server(), { [name]: bad })).rejects.toMatchObject({ code: 'OPTION_BAD_VALUE' });
  });
});

describe('transports', () => {
  it.each<[options: object, code: string]>([
    [{ fault: [] }, 'OPTION_UNKNOWN'],
    [{ onMiss: 'fail' }, 'OPTION_UNKNOWN'],
    [{ anything: 1 }, 'OPTION_UNKNOWN'],
    [{ faults: 'drop' }, 'OPTION_BAD_VALUE'],
    [{ seed: 'x' }, 'OPTION_BAD_VALUE'],
  ])('linked ones refuse %j', (options, code) => {
    expect(() => linkedTransports(options)).toThrow(expect.objectContaining({ code }));
  });

  it.each<[options: object, code: string]>([
    [{ sides: 'client' }, 'OPTION_UNKNOWN'],
    [{ side: 'cleint' }, 'OPTION_BAD_VALUE'],
    [{ redact: 'no' }, 'OPTION_BAD_VALUE'],
  ])('recorded ones refuse %j', (options, code) => {
    expect(() => recordTransport(inner, cassette, options)).toThrow(expect.objectContaining({ code }));
  });

  it('take what they have', () => {
    linkedTransports({ faults: [], seed: 3, clock: new ManualClock(new Date()) });
    recordTransport(inner, cassette, { side: 'server', redact: { allow: [] } });
  });
});
