/** Configurations of Codex, as its documentation and people write them. */
export const TOML_CONFIGURATIONS: readonly string[] = [
  `#:schema https://developers.openai.com/codex/config-schema.json
model = "gpt-5.1-codex" # default
approval_policy = "on-request"

# --- servers ---
[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]   # pinned soon
startup_timeout_sec = 20

[mcp_servers.context7.env]
MY_VAR = "value" # kept

[mcp_servers.figma]
url = "https://mcp.figma.example/mcp" # beta
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }
enabled_tools = [
  "one", # first
  "two",
]

[tui]
notifications = true
`,
  `[mcp_servers]
# inline
everything = { command = 'C:\\tools\\everything.exe', env = { A = "1" } }
far = { url = "http://127.0.0.1:1/mcp", http_headers = { "X-A" = "b" } }
`,
  `[mcp_servers."my server"]
args = [
  "--stdio", # this one
  '''raw''',
]
command = """node"""

[mcp_servers."my server".tools.search]
approval_mode = "approve"

[mcp_servers.bare]
  command = "bare" # without arguments
  enabled = false

[mcp_servers.remote]
url = "https://far.example/mcp"
tool_timeout_sec = 45
[mcp_servers.remote.env_http_headers]
X-Token = "MY_TOKEN"
# in between
[mcp_servers.remote.tools.delete]
approval_mode = "prompt" # always
# the end, without a line break`,
  '[mcp_servers.windows]\r\ncommand = "cmd"\r\nargs = ["/c", "npx"]\r\n\r\n[mcp_servers.windows-url]\r\nurl = "https://a.example"\r\n',
];
