import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const executablePath = '/usr/bin/chromium';

/** Whether there is a Chromium. Where there is none, says on standard error what is not tried therefore. */
export function hasChromium(what: string): boolean {
  const isThere = existsSync(executablePath);
  if (!isThere) process.stderr.write(`SKIPPED: ${what}, there is no ${executablePath} (apt-get install chromium).\n`);
  return isThere;
}

export function launchChromium(): Promise<Browser> {
  // as long as tests wait for anything
  return chromium.launch({ executablePath, args: ['--no-sandbox'], timeout: 150_000 });
}

/** What a page writes to its console from now on, and its errors. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** A page in a Chromium that ends with the test. */
export async function pageOfTest(): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(150_000);
  return { page, complaints: complaintsOf(page) };
}
