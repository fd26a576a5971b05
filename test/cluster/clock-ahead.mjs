// Loaded before a program: its clock is an hour ahead of all others.
const hour = 3_600_000;
const now = Date.now;
Date.now = () => now() + hour;
globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(Date.now());
    else super(...parts);
  }
};
