import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type SchemaObject, type ValidateFunction } from '@redocly/ajv/dist/2020.js';

/** What of the OpenAPI document is needed to find the schema of an answer. */
type Content = { 'application/json'?: { schema: SchemaObject } };
type Answer = { $ref?: string; content?: Content };
type Operation = { responses: Record<string, Answer> };
type Contract = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, SchemaObject>; responses: Record<string, Answer> };
};

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const contract = JSON.parse(readFileSync(join(import.meta.dirname, '../api/openapi.json'), 'utf8')) as Contract;

const ajv = new Ajv2020({
  strict: false, // the document has keywords of OpenAPI, such as example
  validateSchema: false,
  formats: {
    'date-time': (text: string) => RFC3339.test(text) && !Number.isNaN(Date.parse(text)),
    date: /^\d{4}-\d{2}-\d{2}$/,
    // Ids say in tests what they stand for, as u-nusrat does, and JavaScript has no numbers but doubles.
    uuid: true,
    int64: true,
    double: true,
  },
});
// The document allows what later versions may add; a test that answers with more than today's API has made it up.
for (const schema of Object.values(contract.components.schemas)) {
  if (schema.properties) schema.additionalProperties ??= false;
}
ajv.addSchema(contract, 'contract');

/** The paths with the most literal parts first: /deals/my-deals is no id of a deal. */
const ways = Object.entries(contract.paths)
  .map(([path, operations]) => ({ path, operations, pattern: new RegExp(`^/api${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

const validators = new Map<string, ValidateFunction>();

/** Compiles a schema of the document when it is first met: a file of tests meets few of them. */
function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer);
  if (known) return known;
  const made = ajv.compile({ $ref: `contract${pointer}` });
  validators.set(pointer, made);
  return made;
}

const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** What an answer to a call breaks of the OpenAPI document, if anything. Failures that the document does not describe may be anything. */
export async function breachOf(request: Request, response: Response): Promise<string | null> {
  const { pathname } = new URL(request.url);
  const method = request.method.toLowerCase();
  const call = `${request.method} ${pathname} ${response.status}`;
  const way = ways.find(({ pattern, operations }) => pattern.test(pathname) && operations[method]);
  const described = way?.operations[method]?.responses[response.status];
  if (!way || !described) return way && !response.ok ? null : `${call}: the document knows no such call or answer`;
  if (described.content && !described.content['application/json']) return null; // a file
  const pointer = described.$ref ?? `#/paths/${escaped(way.path)}/${method}/responses/${response.status}`;
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return response.ok ? `${call}: no JSON` : null; // what stands before the API fails in words of its own
  }
  const validate = validatorOf(`${pointer}/content/application~1json/schema`);
  return validate(body) ? null : `${call}: ${ajv.errorsText(validate.errors, { dataVar: 'body' })} in ${text.slice(0, 300)}`;
}
