import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { routes } from '../access/routes.js';
import { componentSchemas } from './schemas.js';

interface Operation {
  description?: string;
  operationId: string;
  security?: readonly [];
}

/** The OpenAPI 3.1 document of all controllers, its schemas from zod. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const basis = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Orchard')
    .setDescription('Trains tree-based density models of tables, and of rows of 0 and 1, on a cluster.')
    .setVersion('1')
    .addServer('/', 'the coordinator that the document is of')
    .addSecurity('bearer', { type: 'http', scheme: 'bearer' })
    .addSecurity('basic', { type: 'http', scheme: 'basic', description: 'any user name; the password is a token' })
    .build();
  const document = SwaggerModule.createDocument(app, basis, {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  for (const [path, operations] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(operations as Record<string, Operation>)) {
      const role = routes[`${verb.toUpperCase()} ${path}`]?.role;
      operation.description = role === 'anyone' ? 'Needs no token.' : `Needs the role ${String(role)}.`;
      // without the word, tools take it for forgotten
      if (role === 'anyone') operation.security = [];
      operation.operationId = plainId(operation.operationId, path);
    }
  const schemas = componentSchemas() as NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
  return { ...document, components: { ...document.components, schemas } };
}

/**
 * An id that generated clients can name a function by. Nest numbers the paths of one method, as `Artefacts_network[1]`:
 * the first has the method's name, the others that of their path.
 */
function plainId(id: string, path: string): string {
  const [, name = id, place = '0'] = /^(.*)\[(\d+)\]$/.exec(id) ?? [];
  return place === '0' ? name : `${name.split('_')[0]!}_${path.split('/').at(-1)!}`;
}
