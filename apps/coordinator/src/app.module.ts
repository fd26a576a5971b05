import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { RoleGuard } from './access/authorize.js';
import { Issuer } from './access/issuer.js';
import { PersonLimits } from './access/person-limits.js';
import { SignInController } from './access/sign-in.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditLog } from './audit/audit-log.js';
import { Recording } from './audit/recording.js';
import { ClusterController } from './cluster/cluster.controller.js';
import type { Config } from './config.js';
import { ReadingsController } from './datasets/readings.controller.js';
import { DatasetsController } from './datasets/datasets.controller.js';
import { EventFeeds } from './http/event-feeds.js';
import { EventStreams } from './http/event-stream.js';
import { JsonBodies } from './http/json-body.js';
import { RequestMemory } from './http/request-memory.js';
import { Tickets } from './http/tickets.js';
import { AnswersController } from './networks/answers.controller.js';
import { CompareController } from './networks/compare.controller.js';
import { ImportanceController } from './networks/importance.controller.js';
import { ModelQuestions } from './networks/model-questions.js';
import { NetworksController } from './networks/networks.controller.js';
import { Housekeeping } from './operations/housekeeping.js';
import { RetentionController } from './operations/retention.controller.js';
import { GarbageController } from './operations/garbage.controller.js';
import { OperationsController } from './operations/operations.controller.js';
import { Port, type Ports } from './ports.js';
import { RequestThreads } from './request-threads.js';
import { ArtefactsController } from './runs/artefacts.controller.js';
import { RunEventsController } from './runs/run-events.controller.js';
import { LinksController } from './runs/links.controller.js';
import { RunTasksController } from './runs/run-tasks.controller.js';
import { RunPins, RunSheets } from '@orchard/runs';
import { RunOwners } from './runs/run-owners.js';
import { Submissions } from './runs/submissions.js';
import { ShownRuns } from './runs/shown-runs.js';
import { Webhooks } from './webhooks/webhooks.js';
import { NotificationsController } from './webhooks/notifications.controller.js';
import { RunsController } from './runs/runs.controller.js';

/** What stands before the controllers too. */
export interface Shared {
  readonly bodies: JsonBodies;
  readonly tickets: Tickets;
  readonly audit: AuditLog;
  readonly issuer: Issuer | null;
}

/** The whole application: its controllers, and what they are made of. */
@Module({})
export class AppModule {
  static of(config: Config, ports: Ports, { bodies, tickets, audit, issuer }: Shared): DynamicModule {
    const memory = new RequestMemory(config.limits.memoryBytes, 'ORCHARD_MAX_MEMORY_BYTES');
    const providers: Provider[] = [
      { provide: Port.config, useValue: config },
      { provide: Port.store, useValue: ports.store },
      { provide: Port.life, useValue: ports.life },
      { provide: Port.tasks, useValue: ports.tasks },
      { provide: Port.glance, useValue: ports.glance },
      { provide: Port.openRunsOf, useValue: ports.openRunsOf },
      { provide: Port.use, useValue: ports.use },
      { provide: Port.costOf, useValue: ports.costOf },
      { provide: Port.busyPeople, useValue: ports.busyPeople },
      { provide: Tickets, useValue: tickets },
      { provide: Port.datasets, useValue: ports.datasets },
      { provide: Port.readings, useValue: ports.readings },
      { provide: Port.reconciler, useValue: ports.reconciler },
      { provide: Port.metrics, useValue: ports.metrics },
      { provide: Port.checks, useValue: ports.checks },
      { provide: Port.presign, useValue: ports.presign },
      { provide: Port.stopping, useValue: ports.stopping },
      { provide: RequestMemory, useValue: memory },
      { provide: JsonBodies, useValue: bodies },
      { provide: AuditLog, useValue: audit },
      { provide: Issuer, useValue: issuer },
      { provide: APP_GUARD, useClass: RoleGuard },
      { provide: APP_INTERCEPTOR, useClass: Recording },
      ShownRuns,
      { provide: RunPins, useValue: ports.pins },
      { provide: Webhooks, useValue: ports.webhooks },
      { provide: Housekeeping, useValue: ports.housekeeping },
      { provide: RunSheets, useValue: new RunSheets(ports.store) },
      RunOwners,
      PersonLimits,
      Submissions,
      EventStreams,
      RequestThreads,
      ModelQuestions,
      EventFeeds,
    ];
    const controllers = [
      DatasetsController,
      ReadingsController,
      RunsController,
      RunEventsController,
      RunTasksController,
      NotificationsController,
      LinksController,
      ArtefactsController,
      NetworksController,
      CompareController,
      ImportanceController,
      AnswersController,
      OperationsController,
      GarbageController,
      RetentionController,
      ClusterController,
      SignInController,
      AuditController,
    ];
    return { module: AppModule, providers, controllers };
  }
}
