#!/usr/bin/env node
// What npm links as `orchard` when it installs, which is before there is anything built: builds it once, then is the
// command.
import { existsSync } from 'node:fs';

const main = new URL('../program/main.js', import.meta.url);
if (!existsSync(main)) await import('../../../infra/setup.mjs');
await import(main.href);
