import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { VitestProject } from './vitest-project.ts';

const folder = temporaryFolder();

/** A test that asks for the weather of cities. */
const asking = (...cities: string[]) => `test('the weather', async ({ mcp }) => {
  const client = await connect(mcp);
  for (const city of ${JSON.stringify(cities)}) console.log(await weather(client, city));
});
`;

it('vitest -u keeps the rules beside calls that are the same, and names the others', async () => {
  const project = new VitestProject(folder, asking('Oslo', 'Rome'));
  expect((await project.run(undefined)).status).toBe(0);
  const [cassette = ''] = project.cassettes;
  const rule = "match: { arguments: { city: '/^[a-z]+$/i' } } # any city";
  const edited = project
    .read(cassette)
    .replace(/( +city: Oslo\n(?: +.*\n)+)/, (call) => `${call}  ${rule}\n`)
    .replace(/( +city: Rome\n(?: +.*\n)+)/, '$1  match: { repeat: last }\n');
  writeFileSync(join(project.folder, '__cassettes__', 'weather.test.js', cassette), edited);
  const line = edited.slice(0, edited.lastIndexOf('- client:')).split('\n').length;
  project.write(asking('Bergen'));
  const updated = await project.run(undefined, '-u');
  expect(updated).toMatchObject({
    status: 0,
    said: expect.stringContaining(
      `${cassette} was recorded again, without this rule of the replaced file: line ${line}, tools/call "weather": match: {"repeat":"last"} (no new message is the same)`,
    ),
  });
  expect(updated.said.match(/recorded again/g)).toHaveLength(1);
  const text = project.read(cassette);
  expect(text).toMatch(
    / city: Bergen\n(?: +.*\n)*? {2}match: \{ arguments: \{ city: '\/\^\[a-z]\+\$\/i' \} \}\n- server:/,
  );
  project.write(asking('Trondheim'));
  const replayed = await project.run('none');
  expect(replayed).toMatchObject({ status: 0, said: expect.stringContaining('Bergen has 20 degrees') });
});
