import type { Node } from 'jsonc-parser';
import { McpRecordError } from '../../kernel/errors.ts';
import { type Member, membersOf, propertyOf } from './server-entry-formatter.ts';

/** A server in the manifest of an extension (MCPB, formerly DXT), or its command on one platform. */
export interface ExtensionServer extends Member {
  /** Reason for leaving the server unchanged. Absent: it can be wrapped. */
  obstacle?: string;
}

/**
 * Returns the server in the manifest of an extension, together with its commands for specific platforms. Undefined: the
 * text is not such a manifest.
 */
export function extensionServers(root: Node): ExtensionServer[] | undefined {
  const server = propertyOf(root, 'server');
  const isManifest = ['manifest_version', 'dxt_version'].some((name) => propertyOf(root, name) !== undefined);
  if (!isManifest || server === undefined) return undefined;
  const name = String(propertyOf(root, 'name')?.value ?? 'extension');
  const node = propertyOf(server, 'mcp_config');
  if (node === undefined)
    return [{ name, node: server, obstacle: 'has no "mcp_config", so that its host starts it in a way of its own' }];
  const overrides = membersOf(propertyOf(node, 'platform_overrides') ?? EMPTY).filter(
    ({ node: one }) => hasMember(one, 'command') || hasMember(one, 'args'),
  );
  const obstacle = [obstacleIn(node), ...overrides.map((one) => obstacleInOverride(one, node))].find(Boolean);
  if (obstacle !== undefined) return [{ name, node, obstacle }];
  return [{ name, node }, ...overrides.map((one) => ({ name: `${name}-${one.name}`, node: one.node }))];
}

const EMPTY: Node = { type: 'object', offset: 0, length: 0 };

function hasMember(node: Node, name: string): boolean {
  return propertyOf(node, name) !== undefined;
}

/**
 * Matches a relative path, which the host resolves against its own working folder. Manifest variables expand to
 * absolute paths.
 */
const RELATIVE_PATH = /^(?!\/|\\|[a-z]:|\$\{).*[\\/]/i;

function obstacleIn(node: Node): string | undefined {
  const command = propertyOf(node, 'command')?.value;
  if (typeof command !== 'string' || !RELATIVE_PATH.test(command)) return undefined;
  return `starts ${JSON.stringify(command)}, which its host looks up in its folder (write \${__dirname} before it)`;
}

/**
 * Returns the obstacle to wrapping a platform override. If an override lacks the command or the arguments, the host
 * takes the missing part from the main entry, which would then be that of the recorder.
 */
function obstacleInOverride({ name, node }: Member, server: Node): string | undefined {
  const where = `has platform_overrides.${name}`;
  if (!hasMember(node, 'command')) return `${where} with "args" and no "command"`;
  const hasArgs = (propertyOf(server, 'args')?.children ?? []).length > 0;
  if (!hasMember(node, 'args') && hasArgs) return `${where} with a "command" and no "args"`;
  return obstacleIn(node);
}

/** The first bytes of a ZIP file. */
const ZIP = 'PK\u0003\u0004';
/** The start of the signature that follows the ZIP file of a signed extension. */
const SIGNATURE = 'MCPB_SIG_V1';

/**
 * Refuses an extension that is packed: its manifest is in a ZIP file.
 * @throws McpRecordError WRAP_PACKED_EXTENSION
 */
export function refusePackedExtension(bytes: Buffer, file: string): void {
  if (!bytes.subarray(0, ZIP.length).equals(Buffer.from(ZIP))) return;
  const isSigned = bytes.includes(SIGNATURE);
  throw new McpRecordError({
    code: 'WRAP_PACKED_EXTENSION',
    what: `Cannot change ${file}`,
    why: `it is a packed extension, a ZIP file${isSigned ? ', with a signature that a change would break' : ''}`,
    next: `Unpack it: npx -y @anthropic-ai/mcpb unpack ${file} FOLDER. Then wrap FOLDER/manifest.json, and install the folder in the client as an unpacked extension.`,
  });
}
