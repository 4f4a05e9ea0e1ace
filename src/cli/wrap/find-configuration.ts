import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { CLIENT_NAMES } from './client-names.ts';
import { type ClientPlace, placesOf, type Surroundings } from './client-places.ts';
import { placedServers } from './find-servers-in-configuration.ts';

/** Selected configuration of a client, and its other existing configurations. */
export interface FoundConfiguration {
  taken: ClientPlace;
  others: ClientPlace[];
}

/** Access to the files of configurations. */
export interface ConfigurationFiles {
  exists(file: string): boolean;
  read(file: string): string;
}

/**
 * Finds the configuration of a client: the project's before the user's, and one with servers before one without.
 * @throws McpRecordError WRAP_UNKNOWN_CLIENT, WRAP_NO_CONFIGURATION, WRAP_NOT_A_CONFIGURATION
 */
export function findConfiguration(
  client: string,
  surroundings: Surroundings,
  files: ConfigurationFiles,
): FoundConfiguration {
  const places = placesOf(client, surroundings);
  if (places === undefined) throw unknownClient(client);
  const existing = places.filter(({ file }) => files.exists(file));
  const [first] = existing;
  if (first === undefined) throw noConfiguration(client, places);
  const hasServers = ({ file }: ClientPlace) => (placedServers(files.read(file), file) ?? []).length > 0;
  const taken = existing.find(hasServers) ?? first;
  return { taken, others: existing.filter((place) => place !== taken) };
}

function unknownClient(client: string): McpRecordError {
  const meant = didYouMean(client, CLIENT_NAMES);
  return new McpRecordError({
    code: 'WRAP_UNKNOWN_CLIENT',
    what: `Cannot find the configuration of "${client}"`,
    why: `the known clients are ${CLIENT_NAMES.join(', ')}`,
    next: meant ? `Did you mean --client ${meant}?` : 'Name the file of the client in place of --client.',
  });
}

function noConfiguration(client: string, places: readonly ClientPlace[]): McpRecordError {
  const lines = places.map(({ file, scope }) => `${file} (${scope})`);
  return new McpRecordError({
    code: 'WRAP_NO_CONFIGURATION',
    what: `Cannot find the configuration of ${client}`,
    why: `there is no ${lines.join(', no ')}`,
    next: 'Add a server in the client first, change to the folder of the project, or name the file in place of --client.',
  });
}
