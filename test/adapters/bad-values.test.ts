import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openLiveEndpoint } from '../../src/adapters/endpoint/forward-or-record-endpoint.ts';
import { mockClient, mockServer } from '../../src/adapters/mock.ts';
import { linkedTransports, recordTransport, replayTransport } from '../../src/adapters/sdk.ts';
import { compareServer, openMcp, serverTests, verifyServer, withMcp } from '../../src/adapters/testing.ts';
import { testServer } from '../../src/adapters/vitest.ts';
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

const [nothing, connects]: [undefined, (transport: never) => void] = [undefined, () => {}];
const command = { command: 'node' };
const recorded = serverTests as (...given: unknown[]) => unknown;
const suite = testServer as (...given: unknown[]) => unknown;
const mcp = openMcp({ ...owner, names: ['arguments'] });
afterAll(() => mcp.finish({ passed: false }));

describe('an argument that is missing or wrong has an error with a code and a next step', () => {
  const withoutCassette = /mcp\.mockClient\(\{ server \}\).*mcp-record\/mock/;
  it.each<[name: string, call: () => unknown, next: RegExp]>([
    ['testServer(function)', () => suite(connects), withoutCassette],
    ['testServer()', () => suite(), withoutCassette],
    ['serverTests(function)', () => recorded(connects), withoutCassette],
    ['serverTests(cassette)', () => recorded(cassette), /function that returns the server/],
    ['serverTests(cassette, command)', () => recorded(cassette, command), /function that returns the server/],
    ['verifyServer(function)', () => verifyServer(anything(connects), command), withoutCassette],
    ['verifyServer("")', () => verifyServer('', command), withoutCassette],
    ['verifyServer(cassette)', () => verifyServer(cassette, anything(nothing)), /or a function: \(transport\)/],
    ['verifyServer(…, null)', () => verifyServer(cassette, command, anything(null)), /options: null/],
    ['compareServer({})', () => compareServer(anything({}), command), /an object without events/],
    ['mcp.client()', () => mcp.client(anything(nothing), command), withoutCassette],
    ['mcp.client([])', () => mcp.client(anything([]), command), /a list/],
    ['mcp.server(null)', () => mcp.server(anything(null)), /options: null/],
    ['mcp.server(function)', () => mcp.server(anything(connects)), /linkedTransports/],
    ['mcp.server(cassette, null)', () => mcp.server(cassette, anything(null)), /options: null/],
    ['mcp.connect({})', () => mcp.connect(anything({})), /it has to be a command/],
    ['mcp.connect(function)', () => mcp.connect(anything(connects)), /linkedTransports.*docs\/sdk-transports\.md/],
    ['mcp.connect(…, 5)', () => mcp.connect(command, anything(5)), /options: 5/],
    ['mcp.mockClient()', () => mcp.mockClient(anything(nothing)), /options: undefined/],
    ['mockClient(null)', () => mockClient(anything(null)), /options: null/],
    ['mockServer(5)', () => mockServer(anything(5)), /options: 5/],
    ['openSession()', () => openSession(anything(nothing)), /options: undefined/],
    ['openSession({})', () => openSession(anything({})), /in its place stands nothing/],
    ['replayTransport()', () => replayTransport(anything(nothing)).start(), /the path of a cassette/],
    ['linkedTransports(null)', () => linkedTransports(anything(null)), /options: null/],
  ])('%s', async (_, call, next) => {
    const error = await Promise.resolve()
      .then(call)
      .then(
        () => undefined,
        (thrown: Error) => thrown,
      );
    expect(error).toMatchObject({ code: 'OPTION_BAD_VALUE', message: expect.stringMatching(next) });
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

  it.each([undefined, null, {}, 'node server.js', { start() {} }])('recorded ones refuse %j as a transport', (bad) => {
    const record = () => recordTransport(bad as never, cassette);
    expect(record).toThrow(expect.objectContaining({ code: 'OPTION_BAD_VALUE' }));
    expect(record).toThrow('Cannot record');
  });

  it('take what they have', () => {
    linkedTransports({ faults: [], seed: 3, clock: new ManualClock(new Date()) });
    recordTransport(inner, cassette, { side: 'server', redact: { allow: [] } });
  });
});
