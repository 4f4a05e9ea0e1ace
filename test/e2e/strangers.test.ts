import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { recorded, replayed } from '../support/command.ts';
import { strangers } from './session/strangers.ts';

const folder = temporaryFolder();
const cassette = (name: string) => join(import.meta.dirname, '..', '..', 'cassettes', `${name}.yaml`);

describe('a client that is a program of its own', () => {
  it.each(strangers)(
    '$name gets the same answer live, recorded, replayed, and from the cassette kept here',
    async ({ name, server, ask }) => {
      const file = join(folder, `${name}.yaml`);
      const live = await ask(server);
      expect(live).toContain('The sum of 3 and 4 is 7.');
      expect(await ask(recorded(file, server))).toBe(live);
      expect(await ask(replayed(file))).toBe(live);
      expect(await ask(replayed(cassette(name)))).toBe(live);
    },
  );
});
