import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Application,
  type DeclarationReflection,
  LogLevel,
  ReferenceType,
  ReflectionKind,
  type TypeDocOptions,
} from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { ROOT, type SitePage } from './pages.ts';

/** Descriptions of the entry points of the package. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'mcp-record': 'Sessions, cassettes and timelines.',
  'mcp-record/faults': 'Functions that make fault rules, and faults of your own.',
  'mcp-record/mock': 'Mock servers and mock clients with handlers.',
  'mcp-record/msw': 'A request handler for MSW.',
  'mcp-record/nock': 'An endpoint for interceptors of nock.',
  'mcp-record/playwright': 'A mock server behind page.route.',
  'mcp-record/sdk': 'Transports for the official SDKs.',
  'mcp-record/testing': 'Sessions and server tests for any test runner.',
  'mcp-record/vitest': 'Fixtures and server tests for Vitest.',
  'mcp-record/vitest/reporter': 'A reporter for Vitest that lists unused cassettes.',
};

/** Returns the sources of the entry points of the package by their import specifier. */
export function entryPoints(): Map<string, string> {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    exports: Record<string, string | { types: string }>;
  };
  return new Map(
    Object.entries(exports).flatMap(([entry, target]) =>
      typeof target === 'string'
        ? []
        : [[name + entry.slice(1), target.types.replace('./dist/', 'src/').replace('.d.ts', '.ts')]],
    ),
  );
}

/** Writes a page for each entry point of the package into a folder of the site, and returns the pages. */
export async function writeApiReference(folder: string): Promise<SitePage[]> {
  const entries = [...entryPoints()];
  const options: Partial<TypeDocOptions> = {
    entryPoints: entries.map(([, source]) => join(ROOT, source)),
    out: folder,
    tsconfig: join(ROOT, 'site', 'tsconfig.api.json'),
    plugin: ['typedoc-plugin-markdown'],
    router: 'module',
    readme: 'none',
    disableSources: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    logLevel: LogLevel.Warn,
    // They compute types from types, or are parameters that no user gives.
    intentionallyNotExported: [
      'Flat',
      'FunctionOf',
      'Optional',
      'SessionSurroundings',
      'ValueOf',
      'Values',
      'src/cassette/read/format-upgrade.ts:FormatUpgrade',
    ],
  };
  const markdown: Partial<PluginOptions> = {
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    propertyMembersFormat: 'table',
    tableColumnSettings: { hideSources: true, hideInherited: true, hideOverrides: true, hideModifiers: true },
    pageTitleTemplates: { index: 'API', module: '{name}' },
  };
  const app = await Application.bootstrapWithPlugins({ ...options, ...markdown } as Partial<TypeDocOptions>);
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc could not read the entry points.');
  for (const module of project.children ?? []) {
    const entry = entries.find(([, source]) => source === `src/${module.name}.ts`);
    if (entry) module.name = entry[0];
  }
  const [faultFunction] = project
    .getReflectionsByKind(ReflectionKind.TypeAlias)
    .filter(({ name }) => name === 'FaultFunction');
  for (const variable of project.getReflectionsByKind(ReflectionKind.Variable) as DeclarationReflection[]) {
    // The table of faults has the parameters; the type that computes them is not exported.
    if (faultFunction && variable.type?.type === 'reference' && variable.type.name === 'FunctionOf')
      variable.type = ReferenceType.createResolvedReference('FaultFunction', faultFunction, project);
  }
  // A parameter that is taken apart has no name of its own.
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    if (parameter.name === '__namedParameters') parameter.name = 'options';
  }
  app.validate(project);
  // A warning is a type that the reference names and does not explain: export it from the entry point.
  if (app.logger.hasWarnings()) throw new Error('TypeDoc has warnings: see above.');
  await app.generateOutputs(project);
  const overview = { path: 'api/index.md', title: 'API', description: 'The entry points of the package.' };
  return [
    overview,
    ...entries.map(([name]) => ({ path: `api/${name}.md`, title: name, description: DESCRIPTIONS[name] ?? '' })),
  ];
}
