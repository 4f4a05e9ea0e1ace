import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import type { Command } from '../../support/command.ts';
import { titled } from '../../support/on-posix.ts';
import { fixture } from '../../support/process.ts';
import { streamable1 } from '../http/clients.ts';
import { listen, serve } from '../http/processes.ts';
import { type CarriedOut, carryOut } from './carry-out.ts';
import { contextOf, problemsOf, stepsOf } from './dockerfile.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const described = JSON.parse(read('package.json')) as { name: string; version: string; bin: Record<string, string> };
const text = read('Dockerfile');
const ignored = read('.dockerignore');
/** What `npm pack` writes. */
const packed = `${described.name}-${described.version}.tgz`;
const context = contextOf([packed, 'package.json', 'dist', 'node_modules', '.git'], ignored);

describe('the Dockerfile', () => {
  it('has no problem', () => {
    expect(problemsOf(text, context)).toEqual([]);
  });

  it('gets the packed package, and nothing else of the repository', () => {
    expect(context).toEqual([packed]);
  });

  it('starts the program of the package', () => {
    const [step] = stepsOf(text).filter(({ keyword }) => keyword === 'ENTRYPOINT');
    expect(JSON.parse(step!.text)).toEqual(Object.keys(described.bin));
  });

  it.each([
    [
      'a file that is not there',
      'COPY mcp-record-*.tgz',
      'COPY mcp-record.tar',
      /COPY names mcp-record\.tar, which is not/,
    ],
    ['a file that .dockerignore leaves out', 'COPY mcp-record-*.tgz', 'COPY package.json', /COPY names package\.json/],
    ['a stage that is not there', '--from=install', '--from=build', /there is no stage build/],
    ['no user', 'USER node\n', '', /the image runs as root/],
    ['the user root', 'USER node', 'USER root', /the image runs as root/],
    ['a base image that changes', /node:\d+\.\d+\.\d+-/g, 'node:24-', /no slim image of Node with a whole version/],
    ['a shell before the program', 'ENTRYPOINT ["mcp-record"]', 'ENTRYPOINT mcp-record', /would not pass on signals/],
    ['a keyword that is none', 'RUN npm', 'RAN npm', /Unknown instruction: RAN/],
    ['two entry points', 'ENTRYPOINT ["mcp-record"]', 'ENTRYPOINT ["a"]\nENTRYPOINT ["mcp-record"]', /ENTRYPOINT/],
  ])('would be found with %s', (_, from, to, problem) => {
    const planted = text.replace(from, to);
    expect(planted).not.toBe(text);
    expect(problemsOf(planted, context).join('\n')).toMatch(problem);
  });
});

/** They install the packed package with what it needs, from the package registry. `.ci/run` wants that. */
describe.skipIf(process.env.IMAGE !== 'whole' || process.platform === 'win32')('the steps of the Dockerfile', () => {
  const isRoot = process.getuid?.() === 0;
  /** A user of the machine who has no home, as `docker run --user` may name one. */
  const USER = isRoot ? 12_345 : process.getuid?.();
  const folder = temporaryFolder();
  const cassettes = join(folder, 'cassettes');
  let image: CarriedOut;

  beforeAll(() => {
    const build = join(folder, 'build');
    for (const one of [build, join(folder, 'stages'), cassettes]) mkdirSync(one);
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', build], { cwd: root, stdio: 'pipe' });
    const given = { context: build, files: readdirSync(build), ignored, folder: join(folder, 'stages') };
    image = carryOut(stepsOf(text), given);
    for (const one of [folder, join(folder, 'stages')]) chmodSync(one, 0o755);
    if (isRoot) chownSync(cassettes, USER!, USER!);
    // `npx` keeps its cache there.
    chmodSync(image.env.HOME!, 0o777);
  });

  const started = (...words: string[]): Command & { cwd: string } => {
    const [program = '', ...rest] = image.entryPoint;
    return { command: program, args: [...rest, ...words], env: image.env, cwd: cassettes };
  };
  const ran = (...words: string[]) => {
    const { command, args, cwd } = started(...words);
    const user = isRoot ? { uid: USER, gid: USER } : {};
    return spawnSync(command, args, { cwd, env: { ...process.env, ...image.env }, encoding: 'utf8', ...user });
  };

  it('can be carried out, but for those of the base image', () => {
    expect(image.left).toEqual(
      stepsOf(text).flatMap(({ keyword, words }) => (keyword === 'FROM' ? `FROM ${words[0]}` : [])),
    );
    expect([image.user, image.workdir]).toEqual(['node', join(image.root, 'cassettes')]);
  });

  it('install what the package needs, and nothing to develop with', () => {
    const modules = readdirSync(join(image.root, 'opt/mcp-record/node_modules'));
    expect(modules).toEqual(expect.arrayContaining(['mcp-record', 'yaml']));
    expect(modules.filter((name) => ['typescript', 'vitest', '@biomejs'].includes(name))).toEqual([]);
    expect(readdirSync(join(image.root, 'opt/mcp-record/node_modules/mcp-record')).sort()).toContain('dist');
    expect(ran('--version')).toMatchObject({ status: 0, stdout: `${described.version}\n` });
  });

  it('give a program that records in a mounted folder, for the user of the container alone', () => {
    const { command, args } = fixture('documents/server.js');
    const { status, stderr } = ran('record', '-o', './', '--lists', '--', command, ...args);
    expect([status, stderr]).toEqual([0, expect.stringContaining('.yaml')]);
    const file = join(cassettes, readdirSync(cassettes)[0]!);
    const { uid, mode } = statSync(file);
    expect([uid, mode & 0o777]).toEqual([USER, 0o600]);
    expect(ran('show', file)).toMatchObject({ status: 0, stdout: expect.stringContaining('tools/list') });
  });

  // A first process has no default action for a signal: without a handler, `docker stop` would kill it after ten seconds.
  it.skipIf(!isRoot || process.platform !== 'linux')(
    titled('give a recorder over HTTP that ends by SIGTERM as the first process', 'signals'),
    async () => {
      await using server = await serve(fixture('loaded.js'), '/mcp');
      const own = started('record', '--http', server.url.href, '--listen', '127.0.0.1:0', '-o', 'http.yaml');
      const user = ['--setuid', String(USER), '--setgid', String(USER)];
      const args = ['--pid', '--fork', ...user, '--', own.command, ...own.args];
      const recorder = await listen(
        { command: 'unshare', args, env: own.env!, cwd: cassettes },
        (line) => /listening on (\S+) for/.exec(line)?.[1],
      );
      const client = await streamable1(recorder.url);
      await client.request('tools/list');
      await client.close();
      const [first] = readFileSync(`/proc/${recorder.pid}/task/${recorder.pid}/children`, 'utf8').trim().split(' ');
      process.kill(Number(first), 'SIGTERM');
      await recorder.ended;
      expect(loadCassette(join(cassettes, 'http.yaml')).end).toBe('complete');
    },
  );
});
