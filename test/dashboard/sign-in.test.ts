import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readPage } from '@orchard/page';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHarness, type Harness } from '../../apps/coordinator/src/harness.suite.js';
import { audience, startIssuer, type TestIssuer } from '../../apps/coordinator/src/issuer.suite.js';
import { root } from '../cli/orchard.js';
import { hasChromium, launchChromium } from '../../libs/tasks/report/src/chromium.suite.js';

const built = join(root, 'apps/dashboard/dist/page');
const isChromiumThere = hasChromium('nobody signs in');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(!isChromiumThere)('signing in on the page, in Chromium by a real OpenID provider', () => {
  let issuer: TestIssuer;
  let harness: Harness;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    issuer = await startIssuer();
    harness = await startHarness(
      {
        ORCHARD_OIDC_ISSUER: issuer.url,
        ORCHARD_OIDC_AUDIENCE: audience,
        ORCHARD_OIDC_CLIENT_ID: 'page',
        ORCHARD_OIDC_SCOPE: 'openid email',
        ORCHARD_OIDC_PARAMETERS: `resource=${encodeURIComponent(audience)}`,
      },
      { page: readPage(built) },
    );
    issuer.allowPage(`${harness.url}/`);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.stop();
    await issuer?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on('console', (message) => {
      // of the page itself; what the browser says of an answer 401 is no complaint
      if (message.type() === 'error' && page.url().startsWith(harness.url) && !message.text().includes('status of 401'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  afterEach(async () => {
    issuer.goAway(false);
    await context.close();
    expect(complaints.splice(0), 'the console').toEqual([]);
  });

  const button = () => page.getByRole('button', { name: `Sign in at ${new URL(issuer.url).host}` });
  /** At the issuer, which takes any password. */
  const signInAs = async (name: string): Promise<void> => {
    await button().click();
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${harness.url}/**`);
  };

  /** As if the issuer had just sent somebody back with this token. */
  const comeWith = async (token: string): Promise<void> => {
    await page.goto(harness.url);
    // the page has heard by then that it has none, and forgets none any more
    await button().waitFor();
    await page.evaluate((secret) => {
      sessionStorage.setItem('orchard-token', secret);
      sessionStorage.setItem('orchard-token-way', 'oidc');
    }, token);
    await page.reload();
  };

  test('somebody comes back to where they were, is known by name, and may do what the role says', async () => {
    await page.goto(`${harness.url}/#/workers`);
    await signInAs('submitter-ann');
    await page.getByRole('button', { name: 'submitter-ann@example.org' }).waitFor();
    await page.getByRole('link', { name: 'New run' }).waitFor();
    expect(page.url()).toBe(`${harness.url}/#/workers`);
    const kept = await page.evaluate(() => [
      Object.keys(sessionStorage).sort(),
      sessionStorage.getItem('orchard-token-way'),
      localStorage.length,
    ]);
    expect(kept).toEqual([['orchard-token', 'orchard-token-way'], 'oidc', 0]);
    await page.reload();
    await page.getByRole('button', { name: 'submitter-ann@example.org' }).click();
    await button().waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test('a viewer is shown no button that would be refused', async () => {
    await comeWith(await issuer.token({ roles: ['viewer'], email: 'viewer-bob@example.org' }));
    await page.getByRole('link', { name: 'Workers' }).waitFor();
    expect(await page.getByRole('link', { name: 'New run' }).count()).toBe(0);
    await page.evaluate(() => (location.hash = '#/new'));
    await page.getByText('“viewer-bob@example.org” may look on, and submit nothing').waitFor();
  });

  test('somebody without a role is told so, and can sign in as somebody else', async () => {
    await comeWith(await issuer.token({ roles: ['stranger'] }));
    await page.getByRole('alert').getByText('with no role here').waitFor();
    await button().waitFor();
    // what the browser itself says of an answer 403
    expect(complaints.splice(0).filter((text) => !text.includes('status of 403'))).toEqual([]);
  });

  test('a sign-in that has expired is asked for again, with a sentence', async () => {
    await comeWith(await issuer.token({ roles: ['viewer'], exp: Math.floor(Date.now() / 1000) - 60 }));
    await page.getByRole('alert').getByText('Your sign-in is not good any more: it has expired').waitFor();
    await button().waitFor();
  });

  test('an answer that this tab has not asked for is not taken, nor one of another issuer', async () => {
    await page.goto(`${harness.url}/?code=stolen&state=guessed`);
    await page.getByRole('alert').getByText('This sign-in was not begun in this tab').waitFor();
    expect(page.url()).toBe(`${harness.url}/`);
    await page.evaluate(() =>
      sessionStorage.setItem(
        'orchard-sign-in',
        JSON.stringify({ state: 's', hash: '', issuer: { issuer: 'https://a' } }),
      ),
    );
    await page.goto(`${harness.url}/?code=x&state=s&iss=https%3A%2F%2Fb`);
    await page.getByRole('alert').getByText('Another issuer answered than was asked').waitFor();
    await page.goto(`${harness.url}/?code=x&state=s`);
    await page.getByRole('alert').getByText('This sign-in was not begun in this tab').waitFor();
  });

  test('a pasted token goes on, also while the issuer is away', async () => {
    issuer.goAway(true);
    const away = await startHarness(
      { ORCHARD_OIDC_ISSUER: issuer.url, ORCHARD_OIDC_AUDIENCE: audience, ORCHARD_OIDC_CLIENT_ID: 'page' },
      { page: readPage(built) },
    );
    try {
      await page.goto(away.url);
      await page.getByText('Signing in does not work now').waitFor();
      await page.getByLabel('Token').fill('full-token-of-the-tests-0123456789');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByRole('button', { name: 'tester · leave' }).waitFor();
    } finally {
      // its streams end with the page
      await page.goto('about:blank');
      await away.stop();
    }
  });

  test('the page may ask this origin and the issuer, and nobody else; axe finds nothing serious', async () => {
    const policy = (await fetch(harness.url)).headers.get('content-security-policy')!;
    expect(policy.split('; ')).toContain(`connect-src 'self' ${issuer.url}`);
    expect(policy.replace(issuer.url, '')).not.toMatch(/unsafe|\*|https?:/);
    await page.goto(harness.url);
    await button().waitFor();
    await page.evaluate(axe);
    const serious = await page.evaluate(async () => {
      interface Violation {
        readonly id: string;
        readonly impact: string;
      }
      const { axe: checker } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
      const { violations } = await checker.run();
      return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id }) => id);
    });
    expect(serious).toEqual([]);
  });
});
