import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { Json } from './template.ts';

interface Response {
  $ref?: string;
  headers?: Record<string, { required?: boolean; schema: object }>;
  content: { 'application/json': { schema: object } };
}

interface Operation {
  operationId: string;
  responses: Record<string, Response>;
}

export const openapi: Json = parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8'));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openapi, 'openapi');

/** The document's own references start at its root, which is not that of a schema in it. */
const absolute: Json = JSON.parse(JSON.stringify(openapi).replaceAll('"#/', '"openapi#/'));

const resolved = (response: Response): Response =>
  absolute.components.responses[response.$ref?.split('/').at(-1) ?? ''] ?? response;

/** The operation that a request is for, if the document has one. */
const operationFor = (method: string, path: string): Operation | undefined => {
  const pathname = /^(?:\/\w+)?\/v1([^?]*?)\/?(\?.*)?$/s.exec(path)?.[1] ?? '';
  const found = Object.entries<Record<string, Operation>>(absolute.paths).find(([template]) =>
    new RegExp(`^${template.replaceAll(/\{.*?\}/g, '[^/]+')}$`).test(pathname),
  );
  return found?.[1][method.toLowerCase()];
};

const error = { content: { 'application/json': { schema: { $ref: 'openapi#/components/schemas/Error' } } } };

/** Responses to what is no operation: the document says of them only that they are Errors. */
const undocumented: Record<number, Response> = {
  404: error,
  405: { ...error, headers: { Allow: { required: true, schema: { type: 'string', pattern: '^[A-Z]+$' } } } },
};

/** Everything about a response that the document does not allow. */
export const violations = (
  method: string,
  path: string,
  { status, headers, text }: { status: number; headers: IncomingHttpHeaders; text: string },
): string[] => {
  const operation = operationFor(method, path);
  const response = operation ? operation.responses[status] : undocumented[status];
  if (!response) {
    return [`${status} is no response of ${operation?.operationId ?? 'a path or method without operation'}`];
  }
  const { headers: declared = {}, content } = resolved(response);
  const problems = Object.entries(declared).flatMap(([name, { required, schema }]) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) {
      return required ? [`header ${name} is missing`] : [];
    }
    return ajv.validate(schema, value) ? [] : [`header ${name}: ${ajv.errorsText()}`];
  });
  if (headers['content-type'] !== 'application/json') {
    problems.push(`Content-Type is ${headers['content-type']}`);
  }
  if (method !== 'HEAD') {
    const body = JSON.parse(text);
    if (!ajv.validate(content['application/json'].schema, body)) {
      problems.push(ajv.errorsText());
    }
    if (status >= 400 && body.status !== status) {
      problems.push(`the status inside is ${body.status}`);
    }
  }
  return problems;
};
