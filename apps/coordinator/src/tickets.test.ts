import type { Request } from 'express';
import { expect, test } from 'vitest';
import { Tickets } from './http/tickets.js';

const id = 'a'.repeat(64);
const tokens = [{ name: 'one', access: 'full', secret: 'secret-of-the-tests-0123456789' }] as const;
const request = (originalUrl: string, method = 'GET'): Request => ({ originalUrl, method }) as Request;

test('a ticket opens its file, for a minute, to be read, whoever of the coordinators made it', () => {
  let now = 1_000_000;
  const tickets = new Tickets(tokens, () => now);
  const link = tickets.link(`/v1/runs/${id}/report`, new URLSearchParams({ selection: 'common', refit: 'true' }));
  expect(tickets.opens(request(link))).toBe(true);
  expect(new Tickets(tokens, () => now).opens(request(link, 'HEAD'))).toBe(true);
  now += 61_000;
  expect(tickets.opens(request(link))).toBe(false);
});

test('and nothing else: no other file, model or method, no other secret, none that was tampered with', () => {
  const tickets = new Tickets(tokens);
  const link = tickets.link(`/v1/runs/${id}/report`, new URLSearchParams({ refit: 'true' }));
  const others = [
    link.replace('/report', '/network'),
    link.replace(id, 'b'.repeat(64)),
    link.replace('refit=true', 'refit=false'),
    `${link}&redirect=1`,
    link.replace(/ticket=(\d+)/, (_, until: string) => `ticket=${String(Number(until) + 1)}`),
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    link.replace(/[?&]ticket=.*/, ''),
    tickets.link('/v1/runs', new URLSearchParams()),
    tickets.link('/metrics', new URLSearchParams()),
  ];
  for (const other of others) expect([other, tickets.opens(request(other))]).toEqual([other, false]);
  expect(tickets.opens(request(link, 'DELETE'))).toBe(false);
  const elsewhere = new Tickets([{ ...tokens[0], secret: 'another-secret-0123456789012' }]);
  expect(elsewhere.opens(request(link))).toBe(false);
});
