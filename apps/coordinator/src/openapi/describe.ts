import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { z } from 'zod';
import { problemSchema } from '../http/problem.js';
import { jsonSchemaOf, parametersOf } from './schemas.js';

/** What the document says of one operation, beside what the router knows. */
export interface Description {
  readonly summary: string;
  readonly tag: 'datasets' | 'runs' | 'networks' | 'operations';
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** JSON by a schema, or bytes of any of these media types. */
  readonly body?: z.ZodType | readonly string[];
  /**
   * Statuses of success, of which the first is answered unless a handler sets another: JSON by a schema, a media type
   * of other content, or nothing.
   */
  readonly answers: Readonly<Record<number, z.ZodType | string | null>>;
  /** Statuses of problems beside those that every operation has. */
  readonly problems?: readonly number[];
  /** What has taken its place; it is answered for one release more. */
  readonly replacedBy?: string;
  /** Needs no token. */
  readonly open?: true;
}

const everywhere = [400, 401, 403, 405, 429, 500, 503];
const everywhereOpen = [400, 405, 429, 500];

const meanings: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Stored',
  202: 'Accepted: the work goes on',
  204: 'Done',
  206: 'A part, as Range asked for',
  302: 'Elsewhere: a URL that expires',
  304: 'The client has it (If-None-Match)',
  400: 'The request is not what its schema says',
  401: 'No token, or one that is not taken (any more)',
  403: 'The client does not have the role, or the request came from another site',
  404: 'It does not exist',
  405: 'The path has no such method',
  409: 'The present state does not allow it',
  413: 'More than the limits allow',
  415: 'A media type that is not read',
  416: 'A part that the file does not have',
  422: 'Well-formed, and yet not possible',
  429: 'More requests than allowed: wait for Retry-After',
  500: 'A fault of the coordinator',
  503: 'Redis or the object store does not answer: wait for Retry-After',
};

/** Describes an operation from the very schemas that its arguments are parsed with. */
export function Describe(description: Description): MethodDecorator {
  const { summary, tag, path, query, body, answers, problems = [], replacedBy, open } = description;
  const said = replacedBy === undefined ? summary : `${summary}. Replaced by ${replacedBy}`;
  const decorators: MethodDecorator[] = [
    HttpCode(Number(Object.keys(answers)[0])),
    ApiOperation({ summary: said, tags: [tag], deprecated: replacedBy !== undefined }),
  ];
  if (open === undefined) decorators.push(ApiSecurity('bearer'), ApiSecurity('basic'));
  for (const parameter of path === undefined ? [] : parametersOf(path)) decorators.push(ApiParam(parameter));
  for (const parameter of query === undefined ? [] : parametersOf(query)) decorators.push(ApiQuery(parameter));
  for (const decorator of body === undefined ? [] : bodyDecorators(body)) decorators.push(decorator);
  for (const [status, answer] of Object.entries(answers)) decorators.push(response(Number(status), answer));
  for (const status of new Set([...(open === undefined ? everywhere : everywhereOpen), ...problems])) {
    if (!(status in answers)) decorators.push(response(status, problemSchema, 'application/problem+json'));
  }
  return applyDecorators(...decorators);
}

function bodyDecorators(body: z.ZodType | readonly string[]): MethodDecorator[] {
  if (!isMediaTypes(body))
    return [ApiConsumes('application/json'), ApiBody({ required: true, schema: jsonSchemaOf(body) })];
  return [ApiConsumes(...body), ApiBody({ required: true, schema: { type: 'string', format: 'binary' } })];
}

function isMediaTypes(body: z.ZodType | readonly string[]): body is readonly string[] {
  return Array.isArray(body);
}

function response(status: number, answer: z.ZodType | string | null, type = 'application/json'): MethodDecorator {
  const description = meanings[status] ?? 'Done';
  if (answer === null) return ApiResponse({ status, description });
  const content =
    typeof answer === 'string' ? { [answer]: { schema: {} } } : { [type]: { schema: jsonSchemaOf(answer) } };
  return ApiResponse({ status, description, content });
}
