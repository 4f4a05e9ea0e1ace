#!/usr/bin/env node
/** The server of revision 2026-07-28, on stdio. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { modernServer } from './modern-server.js';

serveStdio(modernServer);
