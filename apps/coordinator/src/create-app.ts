import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { authorize } from './access/authorize.js';
import { Issuer } from './access/issuer.js';
import { OidcTokens } from './access/oidc-tokens.js';
import { checkRoutes } from './access/routes.js';
import { AppModule } from './app.module.js';
import { AuditLog } from './audit/audit-log.js';
import type { Config } from './config.js';
import { allowedMethods, type Paths } from './http/allowed-methods.js';
import { JsonBodies } from './http/json-body.js';
import { NestLog } from './http/nest-log.js';
import { ProblemFilter } from './http/problem-filter.js';
import { endQuietConnections } from './http/quiet-connections.js';
import { rateLimit } from './http/rate-limit.js';
import { RequestMemory } from './http/request-memory.js';
import { requestLog, securityHeaders } from './http/request-context.js';
import { authenticate } from './http/tokens.js';
import { traceRequests } from './http/trace-requests.js';
import { Tickets } from './http/tickets.js';
import { createDocument } from './openapi/document.js';
import { servePage } from './page/serve-page.js';
import type { Ports } from './ports.js';

/** An upload of gigabytes takes its time; Node's own limit of five minutes for a request would cut it. */
const REQUEST_MILLISECONDS = 3_600_000;
const HEADERS_MILLISECONDS = 30_000;

/** The application with everything a request passes through, in that order; it does not listen yet. */
export async function createApp(config: Config, ports: Ports): Promise<NestExpressApplication> {
  const { limits } = config;
  const jsonMemory = new RequestMemory(limits.jsonMemoryBytes, "Node's heap (--max-old-space-size)");
  const bodies = new JsonBodies(limits.jsonBytes, jsonMemory, limits.pace);
  const tickets = new Tickets(config.tokens);
  const audit = new AuditLog(ports.store, ports.log);
  const issuer = config.oidc === null ? null : new Issuer(config.oidc.issuer);
  const oidc = config.oidc === null || issuer === null ? null : new OidcTokens(config.oidc, issuer);
  // a wrong name is refused at the start, and not when the first user signs in
  issuer?.discovery().catch((error: unknown) => ports.log.warn({ error }, 'the issuer does not answer as one'));
  const module = AppModule.of(config, ports, { bodies, tickets, audit, issuer });
  const app = await NestFactory.create<NestExpressApplication>(module, {
    bodyParser: false,
    logger: new NestLog(ports.log),
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  let paths: Paths = {};
  app.use(requestLog(ports.log, ports.metrics));
  app.use(traceRequests(ports.telemetry));
  app.use(securityHeaders);
  app.use(servePage(ports.page, config.oidc?.page === null ? null : issuer));
  app.use(authenticate({ tokens: config.tokens, oidc, tickets }, limits.requestsPerSecond));
  app.use(rateLimit(limits.requestsPerSecond));
  app.use(authorize(audit));
  app.use(allowedMethods(() => paths));
  if (ports.board !== null) app.use('/queues', ports.board);
  app.use(bodies.middleware);
  app.useGlobalFilters(new ProblemFilter(ports.log));
  const document = createDocument(app);
  paths = document.paths;
  checkRoutes(paths);
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'docs/json',
    yamlDocumentUrl: 'docs/yaml',
    customSiteTitle: 'Orchard API',
  });
  await app.init();
  const server = app.getHttpServer();
  server.requestTimeout = REQUEST_MILLISECONDS;
  server.headersTimeout = HEADERS_MILLISECONDS;
  endQuietConnections(server, ports.stopping);
  return app;
}
