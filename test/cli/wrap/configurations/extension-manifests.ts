// biome-ignore-start lint/suspicious/noTemplateCurlyInString: hosts of extensions fill them in
/** Manifests of extensions (MCPB, formerly DXT), as authors write them. */
export const EXTENSION_MANIFESTS: Readonly<Record<string, string>> = {
  'a bundled server for Node': `{
  "manifest_version": "0.3",
  "name": "notes",
  "version": "1.2.0",
  "description": "Notes on this machine.",
  "author": { "name": "Ann", "email": "ann@example.com" },
  "server": {
    "type": "node",
    "entry_point": "server/index.js",
    "mcp_config": {
      "command": "node",
      "args": ["\${__dirname}/server/index.js", "\${user_config.folders}"],
      "env": {
        "API_KEY": "\${user_config.api_key}"
      }
    }
  },
  "tools": [{ "name": "search", "description": "Searches notes." }],
  "user_config": {
    "folders": { "type": "directory", "title": "Folders", "description": "Where notes are", "multiple": true, "required": true },
    "api_key": { "type": "string", "title": "Key", "description": "Of the service", "sensitive": true }
  }
}
`,
  'a server for Python, of the first version of the format': `{
    "dxt_version": "0.1",
    "name": "file-manager-python",
    "display_name": "Python File Manager",
    "version": "0.1.0",
    "description": "Lists files",
    "author": {"name": "Ben"},
    "server": {
        "type": "python",
        "entry_point": "server/main.py",
        "mcp_config": {
            "command": "python",
            "args": [
                "\${__dirname}/server/main.py",
                "--workspace=\${user_config.workspace}"
            ],
            "env": {"PYTHONPATH": "\${__dirname}/server/lib"}
        }
    },
    "user_config": {"workspace": {"type": "directory", "title": "Workspace", "description": "Folder", "default": "\${HOME}/Documents"}}
}`,
  'a server that is fetched, on one line':
    '{"manifest_version":"0.3","name":"fetched","version":"1.0.0","description":"x","author":{"name":"Cyd"},"server":{"type":"node","entry_point":"index.js","mcp_config":{"command":"npx","args":["-y","--package=@a/b","b"],"env":{}}}}',
  'a binary with commands of its own on some systems': `{
  "manifest_version": "0.3",
  "name": "tool",
  "version": "2.0.0",
  "description": "A binary",
  "author": { "name": "Dan" },
  "server": {
    "type": "binary",
    "entry_point": "server/tool",
    "mcp_config": {
      "command": "\${__dirname}/server/tool",
      "args": [],
      "platform_overrides": {
        "win32": { "command": "\${__dirname}/server/tool.exe" },
        "linux": {
          "command": "/usr/bin/env",
          "args": [ "\${__dirname}/server/tool-linux", "-v" ]
        },
        "darwin": { "env": { "DYLD_LIBRARY_PATH": "\${__dirname}/lib" } }
      }
    }
  }
}
`,
  'a binary without args': `{
  "manifest_version": "0.2",
  "name": "bare tool",
  "version": "2.0.0",
  "description": "A binary",
  "author": { "name": "Dan" },
  "server": { "type": "binary", "entry_point": "t", "mcp_config": { "command": "\${__dirname}/t" } }
}
`,
  'with Windows line ends':
    '{\r\n  "manifest_version": "0.3",\r\n  "name": "w",\r\n  "version": "1.0.0",\r\n  "description": "w",\r\n  "author": { "name": "Eve" },\r\n  "server": {\r\n    "type": "node",\r\n    "entry_point": "i.js",\r\n    "mcp_config": {\r\n      "command": "node",\r\n      "args": [\r\n        "${__dirname}/i.js"\r\n      ]\r\n    }\r\n  }\r\n}\r\n',
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: hosts of extensions fill them in
