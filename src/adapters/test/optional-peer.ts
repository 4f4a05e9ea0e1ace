import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Loads an optional peer dependency.
 * @throws McpRecordError PEER_MISSING, with the package to install
 */
export async function loadPeer<Module>(name: string, load: () => Promise<Module>, versions: string): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new McpRecordError({
      code: 'PEER_MISSING',
      what: `Cannot load mcp-record/${name}`,
      why: `${name} is not installed here`,
      next: `npm install --save-dev "${name}@${versions}"`,
      cause: error,
    });
  }
}
