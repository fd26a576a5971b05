#!/usr/bin/env node
// What npm links as `orchard` when it installs, which is before there is anything built: builds it once, then is the
// command.
import { existsSync } from 'node:fs';

const main = new URL('../program/main.js', import.meta.url);
if (!existsSync(main)) await import('../../../infra/setup.mjs');
// stacks point into src, as with node --enable-source-maps
process.setSourceMapsEnabled(true);
await import(main.href);
