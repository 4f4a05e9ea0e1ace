# An image of the packed package: `npm ci && npm pack && docker build -t mcp-record .` (docs/container.md).

FROM node:24.21.0-slim AS install
COPY mcp-record-*.tgz /tmp/mcp-record.tgz
RUN npm install --prefix /opt/mcp-record --omit=dev --no-audit --no-fund /tmp/mcp-record.tgz

FROM node:24.21.0-slim
COPY --from=install /opt/mcp-record /opt/mcp-record
ENV PATH=/opt/mcp-record/node_modules/.bin:$PATH
# `npx` has its cache here, whichever user `docker run --user` names: that one has no home.
ENV HOME=/tmp
WORKDIR /cassettes
USER node
ENTRYPOINT ["mcp-record"]
