import 'swagger-ui-dist/swagger-ui.css';
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-bundle.js';

const text = { type: 'string' };
const answers = { 200: { description: 'Done', content: { 'application/json': { schema: { type: 'object', properties: { name: text } } } } } };
const spec = {
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: '/a' }, { url: '/b' }],
  paths: {
    '/items/{id}': {
      get: { tags: ['items'], summary: 'Read one', parameters: [{ name: 'id', in: 'path', required: true, schema: text }, { name: 'q', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } }], responses: answers },
      delete: { tags: ['items'], summary: 'Delete one', parameters: [{ name: 'id', in: 'path', required: true, schema: text }], responses: answers },
    },
    '/items': { post: { tags: ['items'], summary: 'Make one', requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } }, responses: answers } },
  },
  components: { schemas: { Item: { type: 'object', properties: { name: text } } }, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
};
document.body.innerHTML = '<div id="ui"></div>';
SwaggerUIBundle({ dom_id: '#ui', spec, docExpansion: 'full', tryItOutEnabled: true });
