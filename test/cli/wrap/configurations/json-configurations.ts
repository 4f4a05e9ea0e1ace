/** Configurations as clients write them and people change them, by client: at least three each. The sources of their forms are in docs/wrap.md. */
export const JSON_CONFIGURATIONS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': [
    `{
  "mcpServers": {
    "everything": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"],
      "env": { "DEBUG": "\${DEBUG:-0}" }
    },
    "notion": { "type": "http", "url": "https://mcp.notion.example/mcp", "headers": { "X-Team": "a" } }
  }
}
`,
    String.raw`{"numStartups":42,"projects":{"C:\\work\\a b":{"allowedTools":[],"mcpServers":{"db":{"type":"stdio","command":"cmd","args":["/c","npx","-y","db"],"env":{}}},"history":[]},"/h/me":{"mcpServers":{}}},"mcpServers":{"all":{"command":"all"}}}`,
    `{\n\t"mcpServers": {\n\t\t// shared by the team\n\t\t"sse": { "type": "sse", "url": "http://127.0.0.1:1/sse" },\n\t},\n}`,
  ],
  'claude-desktop': [
    `{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "/U/me/Desktop"
      ]
    },
    "weather": {
      "command": "uv",
      "args": ["--directory", "/U/me/weather", "run", "weather.py"],
      "env": {"KEY": "a"}
    }
  },
  "preferences": { "menuBarEnabled": false }
}`,
    '{\r\n    "globalShortcut": "",\r\n    "mcpServers": {\r\n        "db": {\r\n            "command": "C:\\\\Program Files\\\\db.exe",\r\n            "args": []\r\n        }\r\n    }\r\n}\r\n',
    '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b","args":["--","-x"]}},"isUsingBuiltInNodeForMcp":true}\n',
  ],
  cursor: [
    `{
  "mcpServers": {
    "postgres": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "DSN", "mcp/postgres"],
      "envFile": "\${workspaceFolder}/.env"
    }
  }
}
`,
    '{ "mcpServers": { "linear": { "url": "https://mcp.linear.example/mcp", "auth": { "CLIENT_ID": "x" } } } }',
    `{
  /* project */
  "mcpServers": {
    "local": { "type": "stdio", "command": "node", "args": [ "./server.js", /* verbose */ "-v", ], },
    "far": {
      "url": "https://far.example/mcp", // staging
      "headers": { "Authorization": "Bearer \${env:TOKEN}", "X-Two": "2" }
    }
  }
}`,
  ],
  vscode: [
    `{
	"inputs": [
		// asked once
		{ "type": "promptString", "id": "key", "description": "Key", "password": true }
	],
	"servers": {
		"github": { "type": "http", "url": "https://api.example/mcp/", "headers": { "Authorization": "Bearer \${input:key}" } },
		"taskfile": {
			"type": "stdio",
			"command": "/h/me/go/bin/mcp-taskfile-server",
			"cwd": "\${workspaceFolder}",
			"env": { "LOG": "debug" }
		}
	}
}
`,
    '{"servers":{"memory":{"command":"npx","args":["-y","@modelcontextprotocol/server-memory"],"sandboxEnabled":true}}}',
    '{ "editor.tabSize": 2, /* old */ "mcp": { "inputs": [], "servers": { "fetch": { "command": "uvx", "args": ["mcp-server-fetch"] } } } }',
  ],
  zed: [
    `// Zed settings
//
// For information on how to configure Zed, see the Zed documentation
{
  "ui_font_size": 16,
  "context_servers": {
    "local": {
      "source": "custom",
      "command": "some-command",
      "args": ["arg-1", "arg-2"],
      "env": {}
    },
    "remote": {
      "url": "https://example.com/mcp",
      "headers": { "Authorization": "Bearer <token>" }
    }
  },
  "theme": { "mode": "system" },
}
`,
    '{ "context_servers": { "extension": { "enabled": true, "settings": { "url_of": "x" } }, "own": { "command": "own" } } }',
    '{\n  "vim_mode": true,\n  "context_servers": {\n    // off for now\n    "off": { "enabled": false, "command": "off", "args": [] },\n  },\n}\n',
  ],
  gemini: [
    `{
  "selectedAuthType": "gemini-api-key",
  "theme": "Dracula",
  "mcpServers": {
    "git": { "command": "uvx", "args": ["mcp-server-git"] },
    "github": {
      "httpUrl": "https://api.example/mcp/",
      "headers": { "Authorization": "Bearer $TOKEN" },
      "timeout": 5000
    }
  }
}
`,
    '{"mcp":{"allowed":["one"]},"mcpServers":{"one":{"command":"python","args":["-m","one"],"cwd":"./one","trust":true,"includeTools":["a"]}}}',
    '{\n  // both\n  "mcpServers": {\n    "sse": { "url": "http://127.0.0.1:1/sse" },\n    "http": { "httpUrl": "http://127.0.0.1:1/mcp", "oauth": { "enabled": true } }\n  }\n}',
  ],
  opencode: [
    `{
  "$schema": "https://opencode.ai/config.json",
  "model": "anthropic/claude-sonnet-4-5",
  "mcp": {
    "filesystem": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/data"],
      "environment": { "NODE_ENV": "production" },
      "enabled": true,
      "timeout": 10000
    },
    "api": {
      "type": "remote",
      "url": "https://example.com/mcp",
      "headers": { "Authorization": "Bearer {env:TOKEN}" },
      "enabled": false
    }
  }
}
`,
    '{\n  "mcp": {\n    "servers": {\n      // version 2\n      "mine": { "type": "local", "command": [\n        "bun",\n        "x",\n        "mine",\n      ], },\n    },\n  },\n}\n',
    '{"mcp":{"one":{"type":"local","command":["one"]},"no-server":{"enabled":true}},"tools":{"one*":false}}',
  ],
  copilot: [
    `{
  "mcpServers": {
    "playwright": {
      "type": "local",
      "command": "npx",
      "args": ["@playwright/mcp@latest"],
      "tools": ["*"]
    }
  }
}
`,
    '{ "mcpServers": { "context": { "type": "http", "url": "https://mcp.example/mcp", "headers": { "KEY": "x" }, "tools": ["query"] } } }',
    '{\n  "mcpServers": {\n    "github": {\n      "type": "local", "command": "docker", // with a token\n      "args": [ "run", "-i", "--rm", "-e", "TOKEN", "ghcr.io/github/github-mcp-server" ],\n      "env": { "TOKEN": "$TOKEN" }, "tools": []\n    }\n  }\n}\n',
  ],
  windsurf: [
    `{
  "mcpServers": {
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "TOKEN": "a" },
      "disabled": false
    },
    "zapier": { "serverUrl": "https://actions.zapier.example/mcp/KEY/sse" }
  }
}
`,
    '{"mcpServers":{"py":{"command":"py","args":["-m","mcp_server_git"],"disabled":true,"env":{}}}}',
    '{\n    "mcpServers": {\n        "far": {\n            "serverUrl": "https://far.example/mcp",\n            "headers": {\n                "Authorization": "Bearer x"\n            },\n            "disabledTools": [ "a" ]\n        }\n    }\n}',
  ],
};
