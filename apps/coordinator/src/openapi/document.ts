import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { routes } from '../access/routes.js';
import { componentSchemas } from './schemas.js';

/** The OpenAPI 3.1 document of all controllers, its schemas from zod. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const basis = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Orchard')
    .setDescription('Trains tree-based density models of tables, and of rows of 0 and 1, on a cluster.')
    .setVersion('1')
    .addSecurity('bearer', { type: 'http', scheme: 'bearer' })
    .addSecurity('basic', { type: 'http', scheme: 'basic', description: 'any user name; the password is a token' })
    .build();
  const document = SwaggerModule.createDocument(app, basis, {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}_${method}`,
  });
  for (const [path, operations] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(operations as Record<string, { description?: string }>)) {
      const role = routes[`${verb.toUpperCase()} ${path}`]?.role;
      operation.description = role === 'anyone' ? 'Needs no token.' : `Needs the role ${String(role)}.`;
    }
  const schemas = componentSchemas() as NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
  return { ...document, components: { ...document.components, schemas } };
}
