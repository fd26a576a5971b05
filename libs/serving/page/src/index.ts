export { builtPage, pageHeaders, readPage, type PageFile } from './page-files.js';
